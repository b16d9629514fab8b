// The readers and writers of the single formats, behind record_file.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libs/base/result.h"
#include "libs/notation/records/game_record.h"
#include "libs/notation/records/record_file.h"
#include "libs/notation/records/record_text.h"

namespace komadai::notation {

// What reading one file needs; every reader appends to `games`.
struct Reading {
  rules::Variant variant = rules::Variant::kShogi;  // if the file does not say
  std::vector<GameRecord> games;
  Warnings warnings;
  int nodes_left = kMaxRecordNodes;
};

// One game a line: "position startpos moves 7g7f ...", "position fen ... moves h2e2 ...".
Status ReadUsi(std::string_view text, Reading& reading);
Status ReadCsa(std::string_view text, Reading& reading);
// KIF and KI2.
Status ReadKif(std::string_view text, Reading& reading);
// Xiangqi in PGN: moves in any notation, comments in braces, variations in parentheses.
Status ReadPgn(std::string_view text, Reading& reading);

// What the format cannot express goes to `warnings`. The moves are legal.
std::string WriteUsi(const GameRecord& record, Warnings& warnings);
std::string WriteCsa(const GameRecord& record, Warnings& warnings);
// `encoding` is named in the first line.
std::string WriteKif(const GameRecord& record, TextEncoding encoding, Warnings& warnings);
std::string WriteKi2(const GameRecord& record, Warnings& warnings);
// Moves in Chinese.
std::string WritePgn(const GameRecord& record, Warnings& warnings);

}  // namespace komadai::notation
