// The arbiter between callers and engines: no engine sees a position that is not possible, and no
// caller sees a move that is not legal. Engines know the law less well than we do: Fairy-Stockfish
// takes the pawn drop that mates (uchifuzume) for a legal move.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libs/base/result.h"
#include "libs/rules/position.h"
#include "services/engine/domain/line_book.h"
#include "services/engine/domain/search.h"
#include "services/engine/errors.h"

namespace komadai::engine {

inline constexpr std::size_t kMaxGameMoves = 2000;

struct CheckedGame {
  GameSoFar game;            // in normal form, as it may be shown to an engine
  rules::Position position;  // after the moves; has a legal move
};

// `position` is SFEN or FEN, empty = the start position. INVALID_ARGUMENT with the reason of the
// law (INVALID_POSITION, NIFU, ...; the number of a bad move is in the metadata), TOO_MANY_MOVES,
// or FAILED_PRECONDITION/NO_LEGAL_MOVE.
Result<CheckedGame> CheckGame(rules::Variant variant, std::string_view position,
                              const std::vector<std::string>& moves);

std::vector<std::string> LegalMovesOf(const rules::Position& position);
bool IsLegalMove(const rules::Position& position, std::string_view move);

// The line up to its first illegal move; empty when that is the first.
Line LegalPart(const rules::Position& position, Line line);
// By rank, each its legal part; lines without a legal first move and beyond `count` left out.
std::vector<Line> LegalLines(const rules::Position& position, const LineBook& lines, int count);

struct Decision {
  enum class Kind { kMove, kResigns, kRefused };
  Kind kind = Kind::kRefused;
  Line line;  // for kMove: starts with the move
};

// What the engine's answer is worth. Refused: it is no legal move (nor a resignation).
Decision Judge(const rules::Position& position, const SearchResult& result);
// For an engine that was refused twice: the best of its lines that starts with a legal move.
Decision JudgeByLines(const rules::Position& position, const SearchResult& result);

}  // namespace komadai::engine
