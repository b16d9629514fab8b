// Record files: reading and writing whole games in the formats people exchange.
//
// Implemented: USI position lines (UCCI lines for xiangqi); CSA 2.2, KIF and KI2 for shogi and
// minishogi; PGN for xiangqi. The others are named, so that they can be refused by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libs/base/result.h"
#include "libs/notation/records/game_record.h"

namespace komadai::notation {

enum class RecordFormat : std::uint8_t {
  kUsi,
  kCsa,
  kKif,
  kKi2,
  kWestern,
  kJkf,
  kPgn,
  kWxf,
  kDhtmlxq,
};
std::string_view NameOf(RecordFormat format);  // "usi", "csa", ...
std::optional<RecordFormat> FindRecordFormat(std::string_view name);

enum class TextEncoding : std::uint8_t { kUtf8, kShiftJis, kEucJp, kGb18030 };
std::string_view NameOf(TextEncoding encoding);  // "utf-8", "shift_jis", ...
std::optional<TextEncoding> FindTextEncoding(std::string_view name);

inline constexpr std::size_t kMaxRecordBytes = 1 << 20;
inline constexpr int kMaxRecordGames = 100;
inline constexpr int kMaxRecordPlies = 10'000;         // of one line of play
inline constexpr int kMaxRecordNodes = 30'000;         // moves of all lines of a file
inline constexpr int kMaxVariationDepth = 32;          // deeper lines are left out, with a warning
inline constexpr std::size_t kMaxCommentBytes = 4096;  // longer ones are cut, with a warning
inline constexpr std::size_t kMaxHeaders = 64;         // further ones are left out, with a warning
inline constexpr std::size_t kMaxHeaderBytes = 1024;   // key and value each; longer ones are cut

// Every error of a reader has metadata "line" (from 1) where a line is to blame.
inline constexpr Reason kRecordTooLarge{Code::kInvalidArgument, "RECORD_TOO_LARGE"};
inline constexpr Reason kBadRecord{Code::kInvalidArgument, "BAD_RECORD"};
inline constexpr Reason kBadEncoding{Code::kInvalidArgument, "BAD_ENCODING"};
inline constexpr Reason kUnknownFormat{Code::kInvalidArgument, "UNKNOWN_FORMAT"};
inline constexpr Reason kFormatNotSupported{Code::kUnimplemented, "FORMAT_NOT_SUPPORTED"};

struct ReadOptions {
  std::optional<RecordFormat> format = std::nullopt;    // nothing: recognised
  std::optional<TextEncoding> encoding = std::nullopt;  // nothing: recognised
  // For files that do not say which game they hold ("startpos").
  rules::Variant variant = rules::Variant::kShogi;
};

struct RecordFile {
  std::vector<GameRecord> games;  // at least one
  RecordFormat format = RecordFormat::kUsi;
  TextEncoding encoding = TextEncoding::kUtf8;
  std::vector<std::string> warnings;  // what was read leniently or left out, one sentence each
};

// Reads a file of at most kMaxRecordBytes; every move is checked. Errors: the reasons above, those
// of positions and moves (INVALID_POSITION, INVALID_MOVE, NIFU, ...), each with its line.
Result<RecordFile> ReadRecordFile(std::string_view bytes, const ReadOptions& options = {});

// What a record of any origin must pass before it is stored or written: every move and variation is
// legal and inside the limits. Names, headers and comments are cleaned of control characters and
// cut. RECORD_TOO_LARGE, BAD_RECORD, or the reason of the rule a move breaks (metadata "ply").
Status CheckRecord(GameRecord& record);

struct WrittenRecord {
  std::string bytes;
  std::vector<std::string> warnings;  // what the format or the encoding cannot express
};

// FORMAT_NOT_SUPPORTED, WRONG_NOTATION (a format the variant does not have), or what CheckRecord
// says.
Result<WrittenRecord> WriteRecordFile(const GameRecord& record, RecordFormat format,
                                      TextEncoding encoding = TextEncoding::kUtf8);

}  // namespace komadai::notation
