// The words of USI and UCI: commands as text, and text as answers. Pure and without state, except
// for what an engine said about itself (Traits).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "services/engine/domain/engine_spec.h"
#include "services/engine/domain/search.h"

namespace komadai::engine {

// What an engine told in its handshake.
struct Traits {
  std::string name;  // "Fairy-Stockfish 11.1 LB 64"
  // Option names as the engine spells them, by their normal form (see FindOption).
  std::map<std::string, std::string> options;

  // The engine's spelling of an option: "Skill Level" may be "Skill_Level" in USI and UCCI, and
  // "Hash" "USI_Hash". Nothing when it has no such option.
  std::optional<std::string> FindOption(std::string_view name) const;
  void AddOption(const std::string& spelling);

  // Fairy-Stockfish up to 11.2 gives `btime` to its own Black, which in USI is the side that moves
  // second: the clocks of both sides arrive exchanged unless we exchange them first.
  bool ExchangesUsiClocks() const;
};

// --- Commands, without line ends ---
std::string_view HandshakeCommand(Protocol protocol);  // "usi"
std::string_view HandshakeReply(Protocol protocol);    // "usiok"
std::string_view NewGameCommand(Protocol protocol);    // "usinewgame"
std::string SetOptionCommand(std::string_view name, std::string_view value);
std::string PositionCommand(const Play& play, const GameSoFar& game);
// `request` is Bounded(): without clocks it has at least one limit.
std::string GoCommand(const Play& play, const Traits& traits, const SearchRequest& request);

// --- Answers ---
struct NameAnswer {
  std::string name;
};
struct OptionAnswer {
  std::string name;
};
struct HandshakeAnswer {};
struct ReadyAnswer {};
struct LineAnswer {
  Line line;  // moves not checked for legality yet
};
struct BestMoveAnswer {
  BestMove best;
};
// Anything else: other info, chatter, garbage. Never an error: engines print all sorts of things.
struct NoAnswer {};
using Answer = std::variant<NoAnswer, NameAnswer, OptionAnswer, HandshakeAnswer, ReadyAnswer,
                            LineAnswer, BestMoveAnswer>;

Answer ParseAnswer(const Play& play, std::string_view line);

}  // namespace komadai::engine
