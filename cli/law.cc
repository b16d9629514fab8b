#include "cli/law.h"

#include <CLI/CLI.hpp>
#include <ostream>

#include "libs/notation/errors.h"
#include "libs/notation/move_notation.h"
#include "libs/notation/plain_move.h"
#include "libs/notation/position_text.h"
#include "libs/rules/handicap.h"
#include "libs/rules/illegal.h"

namespace komadai::cli {
namespace {

constexpr Reason kUnknownVariant{Code::kInvalidArgument, "UNKNOWN_VARIANT"};

}  // namespace

int Refuse(const Streams& streams, std::string_view command, const Error& error) {
  streams.err << "komadai " << command << ": " << error.ToString() << "\n";
  return kExitUsage;
}

void AddPositionArguments(CLI::App& command, PositionArguments& arguments) {
  command.add_option("variant", arguments.variant, "shogi, minishogi or xiangqi")->required();
  command
      .add_option("position", arguments.position,
                  "SFEN or FEN in quotes, startpos, or a handicap id such as 2_piece")
      ->required();
}

Result<rules::Variant> ReadVariant(const std::string& text) {
  const std::optional<rules::Variant> variant = rules::FindVariant(text);
  if (variant) return *variant;
  return notation::TextError(kUnknownVariant, "shogi, minishogi or xiangqi expected", text);
}

Result<rules::Position> ReadPosition(const PositionArguments& arguments) {
  const Result<rules::Variant> variant = ReadVariant(arguments.variant);
  if (!variant) return variant.error();
  if (!arguments.position.empty()) {
    Result<rules::Position> start = rules::StartPosition(*variant, arguments.position);
    if (start) return start;
  }
  return notation::ParsePosition(*variant, arguments.position, rules::Kings::kOptional);
}

Result<rules::Move> ReadMove(const rules::Position& position, const std::string& text,
                             std::optional<rules::Square> previous_to) {
  Result<rules::Move> plain = notation::ParsePlainMove(position.variant(), text);
  if (plain) return plain;
  notation::MoveContext context;
  context.previous_to = previous_to;
  return notation::ParseAnyMove(position, text, context);
}

bool IsIllegalMove(const Error& error) {
  for (int i = 0; i <= static_cast<int>(rules::Illegal::kPawnSidewaysBeforeRiver); ++i) {
    if (error.Is(rules::ReasonOf(static_cast<rules::Illegal>(i)))) return true;
  }
  return false;
}

std::string_view SideWord(rules::Side side) {
  return side == rules::Side::kFirst ? "first" : "second";
}

std::string_view WinnerWord(std::optional<rules::Side> winner) {
  return winner ? SideWord(*winner) : "none";
}

nlohmann::json WinnerJson(std::optional<rules::Side> winner) {
  if (!winner) return nullptr;
  return SideWord(*winner);
}

void WriteJson(const Streams& streams, const nlohmann::json& value) {
  streams.out << value.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
}

}  // namespace komadai::cli
