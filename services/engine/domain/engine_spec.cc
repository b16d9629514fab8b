#include "services/engine/domain/engine_spec.h"

#include <sstream>
#include <utility>

namespace komadai::engine {

namespace {

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

// Engines made for xiangqi (Pikafish) count ranks from 0 as we do; only Fairy-Stockfish starts
// at 1.
Play PlainPlay(rules::Variant variant, Protocol protocol) {
  return {variant, protocol, "", RankNumbers::kPlain};
}

bool IsId(const std::string& id) {
  return !id.empty() && id.size() <= 32 &&
         id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_") == std::string::npos;
}

}  // namespace

EngineSpec FairyStockfish(std::string program) {
  using rules::Variant;
  return {.id = "fairy-stockfish",
          .command = {std::move(program)},
          .plays = {{Variant::kShogi, Protocol::kUsi, "shogi", RankNumbers::kPlain},
                    {Variant::kMinishogi, Protocol::kUsi, "minishogi", RankNumbers::kPlain},
                    {Variant::kXiangqi, Protocol::kUci, "xiangqi", RankNumbers::kFromOne}},
          .options = {{"Threads", "1"}, {"Hash", "32"}}};
}

std::optional<EngineSpec> ParseEngineSpec(const std::string& text) {
  std::istringstream in(text);
  std::string id, protocol_name, variants, command;
  if (!std::getline(in, id, ':') || !std::getline(in, protocol_name, ':') ||
      !std::getline(in, variants, ':') || !std::getline(in, command) || !IsId(id)) {
    return std::nullopt;
  }
  if (protocol_name != "usi" && protocol_name != "uci") return std::nullopt;
  const Protocol protocol = protocol_name == "usi" ? Protocol::kUsi : Protocol::kUci;

  EngineSpec spec;
  spec.id = id;
  spec.command = Split(command, ' ');
  for (const std::string& name : Split(variants, '+')) {
    const std::optional<rules::Variant> variant = rules::FindVariant(name);
    // Shogi is only spoken in USI, xiangqi only in UCI: anything else is a mistake.
    if (!variant || (*variant == rules::Variant::kXiangqi) != (protocol == Protocol::kUci)) {
      return std::nullopt;
    }
    spec.plays.push_back(PlainPlay(*variant, protocol));
  }
  if (spec.command.empty() || spec.plays.empty()) return std::nullopt;
  return spec;
}

}  // namespace komadai::engine
