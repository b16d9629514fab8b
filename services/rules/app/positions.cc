#include "services/rules/app/positions.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libs/convert/notation.h"
#include "libs/convert/variant.h"
#include "libs/notation/errors.h"
#include "libs/notation/move_notation.h"
#include "libs/notation/plain_move.h"
#include "libs/notation/position_text.h"
#include "services/rules/convert.h"

namespace komadai::rules_service {
namespace {

using notation::Notation;
using rules::Move;
using rules::Position;
using rules::Variant;

constexpr int kMaxConvertedMoves = 1000;
constexpr int kMaxNotations = 11;

Result<Position> PositionOf(common_pb::Variant asked, const std::string& text, rules::Kings kings) {
  const Result<Variant> variant = convert::VariantFromProto(asked);
  if (!variant) return InField(variant.error(), "variant");
  Result<Position> position = notation::ParsePosition(*variant, text, kings);
  if (!position) return InField(position.error(), "position");
  return position;
}

// Not specified: the plain notation.
template <typename List>
Result<std::vector<Notation>> NotationsOf(Variant variant, const List& asked, const char* field) {
  if (asked.size() > kMaxNotations) {
    return InField(Error(kTooManyNotations, "at most 11 notations can be asked for"), field);
  }
  std::vector<Notation> notations;
  for (const int number : asked) {
    const auto notation =
        convert::NotationFromProto(variant, static_cast<common_pb::MoveNotation>(number));
    if (!notation) return InField(notation.error(), field);
    notations.push_back(notation->value_or(notation::NotationsOf(variant).front()));
  }
  return notations;
}

template <typename Names>
Status AddNames(const Position& position, Move move, const std::vector<Notation>& notations,
                const notation::MoveContext& context, Names names) {
  for (const Notation notation : notations) {
    Result<std::string> name = notation::FormatMove(position, move, notation, context);
    if (!name) return name.error();
    *names->Add() = *std::move(name);
  }
  return {};
}

// "7g", or "P*" for drops: what a legal move must begin with.
Status CheckOrigin(Variant variant, const std::string& from) {
  if (from.empty()) return {};
  const bool drop = from.size() == 2 && from[1] == '*';
  if (from.size() == 2 && notation::ParsePlainMove(variant, from + (drop ? "1a" : from))) return {};
  return notation::TextError(notation::kInvalidMove, "neither a square nor a piece to drop", from);
}

}  // namespace

Result<pb::ListLegalMovesResponse> ListLegalMoves(const pb::ListLegalMovesRequest& request) {
  const Result<Position> position =
      PositionOf(request.variant(), request.position(), rules::Kings::kOptional);
  if (!position) return position.error();
  const Variant variant = position->variant();
  const auto notations = NotationsOf(variant, request.notations(), "notations");
  if (!notations) return notations.error();
  if (Status origin = CheckOrigin(variant, request.from()); !origin) {
    return InField(origin.error(), "from");
  }

  rules::MoveList moves;
  position->LegalMoves(moves);
  std::vector<std::pair<std::string, Move>> named;
  for (const Move move : moves) {
    std::string text = notation::FormatPlainMove(variant, move);
    if (text.starts_with(request.from())) named.emplace_back(std::move(text), move);
  }
  std::ranges::sort(named, {}, &std::pair<std::string, Move>::first);

  pb::ListLegalMovesResponse response;
  for (auto& [text, move] : named) {
    pb::LegalMove& legal = *response.add_moves();
    legal.set_move(std::move(text));
    if (Status names = AddNames(*position, move, *notations, {}, legal.mutable_names()); !names) {
      return names.error();
    }
  }
  response.set_check(position->InCheck());
  response.set_side_to_move(convert::ToProto(position->side_to_move()));
  return response;
}

Result<pb::ConvertMovesResponse> ConvertMoves(const pb::ConvertMovesRequest& request) {
  Result<Position> position =
      PositionOf(request.variant(), request.position(), rules::Kings::kOptional);
  if (!position) return position.error();
  const Variant variant = position->variant();
  const auto from = convert::NotationFromProto(variant, request.from());
  if (!from) return InField(from.error(), "from");
  const auto to = NotationsOf(variant, request.to(), "to");
  if (!to) return to.error();
  if (request.moves_size() > kMaxConvertedMoves) {
    return InField(Error(kTooManyMoves, "at most 1000 moves can be converted at once"), "moves");
  }

  pb::ConvertMovesResponse response;
  notation::MoveContext context;
  for (int i = 0; i < request.moves_size(); ++i) {
    const std::string& text = request.moves(i);
    const Result<Move> move = *from ? notation::ParseMove(*position, text, **from, context)
                                    : notation::ParseAnyMove(*position, text, context);
    if (!move) return InField(move.error(), "moves[" + std::to_string(i) + "]");
    pb::ConvertedMove& converted = *response.add_moves();
    converted.set_move(notation::FormatPlainMove(variant, *move));
    if (Status names = AddNames(*position, *move, *to, context, converted.mutable_names());
        !names) {
      return names.error();
    }
    position->PlayUnchecked(*move);
    context.previous_to = move->to;
  }
  response.set_position(notation::FormatPosition(*position));
  return response;
}

Result<pb::ParsePositionResponse> ParsePosition(const pb::ParsePositionRequest& request) {
  const rules::Kings kings =
      request.allow_missing_kings() ? rules::Kings::kOptional : rules::Kings::kBoth;
  const Result<Position> position = PositionOf(request.variant(), request.position(), kings);
  if (!position) return position.error();
  pb::ParsePositionResponse response;
  response.set_position(notation::FormatPosition(*position));
  response.set_side_to_move(convert::ToProto(position->side_to_move()));
  response.set_check(position->InCheck());
  response.set_legal_move_count(position->CountLegalMoves());
  return response;
}

}  // namespace komadai::rules_service
