// What the commands about the law share. They need no server: the library answers.
#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "libs/base/result.h"
#include "libs/rules/position.h"
#include "libs/rules/types.h"

namespace CLI {
class App;
}

namespace komadai::cli {

// Where a command reads and writes; a test brings its own.
struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
};

inline constexpr Reason kUnreadableFile{Code::kNotFound, "UNREADABLE_FILE"};

inline constexpr int kExitOk = 0;
inline constexpr int kExitNo = 1;     // the answer is no: an illegal move, a failed record
inline constexpr int kExitUsage = 2;  // bad arguments or input

// Writes "komadai COMMAND: REASON: message" to streams.err; kExitUsage.
int Refuse(const Streams& streams, std::string_view command, const Error& error);

// The arguments VARIANT and POSITION of a command.
struct PositionArguments {
  std::string variant;
  std::string position;
};
void AddPositionArguments(CLI::App& command, PositionArguments& arguments);

// INVALID_ARGUMENT/UNKNOWN_VARIANT.
Result<rules::Variant> ReadVariant(const std::string& text);
// SFEN, FEN, "startpos" or a handicap id; a king may be missing.
Result<rules::Position> ReadPosition(const PositionArguments& arguments);

// A move in plain notation, legal or not, or a legal one in any other notation of the game.
Result<rules::Move> ReadMove(const rules::Position& position, const std::string& text,
                             std::optional<rules::Square> previous_to = std::nullopt);
// Whether `error` is the refusal of a rule rather than of a text.
bool IsIllegalMove(const Error& error);

// "first" or "second"; null or "none" if nobody has won.
std::string_view SideWord(rules::Side side);
std::string_view WinnerWord(std::optional<rules::Side> winner);
nlohmann::json WinnerJson(std::optional<rules::Side> winner);
// Two blanks of indentation and a newline at the end.
void WriteJson(const Streams& streams, const nlohmann::json& value);

}  // namespace komadai::cli
