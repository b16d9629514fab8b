// What the server knows about an engine before it runs: how to start it and how to talk to it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "libs/rules/types.h"

namespace komadai::engine {

enum class Protocol { kUsi, kUci };

// How the engine numbers ranks in xiangqi.
enum class RankNumbers { kPlain, kFromOne };

// One game an engine plays.
struct Play {
  rules::Variant variant;
  Protocol protocol;
  std::string variant_option;  // value of UCI_Variant; empty = the engine plays nothing else
  RankNumbers ranks = RankNumbers::kPlain;
};

struct EngineSpec {
  std::string id;
  std::vector<std::string> command;  // program and arguments
  std::vector<Play> plays;           // never empty; the first is spoken at start
  // Sent at start when the engine has an option of that name.
  std::map<std::string, std::string> options;

  const Play* FindPlay(rules::Variant variant) const {
    for (const Play& play : plays) {
      if (play.variant == variant) return &play;
    }
    return nullptr;
  }
};

// Fairy-Stockfish, which plays all three games: the default.
EngineSpec FairyStockfish(std::string program);

// Reads "ID:PROTOCOL:VARIANTS:COMMAND" with variants joined by "+", e.g.
// "yane:usi:shogi:/opt/yaneuraou --quiet" or "pika:uci:xiangqi:/opt/pikafish". Nothing when it is
// malformed.
std::optional<EngineSpec> ParseEngineSpec(const std::string& text);

}  // namespace komadai::engine
