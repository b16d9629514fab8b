// Judge: who is asked when a record is checked. The library itself, or a server that knows the law.
//
// Questions are texts as the vectors have them, so that every judge reads them by itself.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "libs/base/result.h"
#include "libs/notation/move_notation.h"
#include "libs/notation/shogi/western.h"
#include "libs/rules/illegal.h"
#include "libs/rules/impasse.h"
#include "libs/rules/ruleset.h"
#include "libs/rules/types.h"
#include "libs/rules/verdict.h"

namespace komadai::conformance {

// Where a question is asked: "startpos", SFEN or FEN; a king may be missing.
struct Board {
  rules::Variant variant = rules::Variant::kShogi;
  std::string position;
};

// A position at a glance.
struct Survey {
  int moves = 0;  // legal ones
  bool check = false;
};

// What the list of all legal moves has. Counting and listing are separate code.
struct Listing {
  int moves = 0;
  bool holds = false;  // the move asked about
};

// A declaration, or an agreement to count, after the last move.
struct Claim {
  rules::ImpasseAsk ask = rules::ImpasseAsk::kDeclare;
  std::optional<rules::Side> by = std::nullopt;  // nothing: the side to move
};

struct GameQuestion {
  Board start;
  rules::Ruleset ruleset;
  int plies_before = 0;            // that count towards the ply limit
  std::vector<std::string> moves;  // plain notation
  std::optional<Claim> claim;
};

struct GameAnswer {
  rules::Verdict verdict;
  int plies = 0;         // played when the game ended, else all
  std::string position;  // after them, in normal form
  bool claim_refused = false;
};

// A way to write a move.
struct Spelling {
  notation::Notation notation = notation::Notation::kUsi;
  notation::MoveContext context = {};
  notation::WesternSquares squares = notation::WesternSquares::kLetters;  // kWestern only
};

class Judge {
 public:
  virtual ~Judge() = default;

  virtual Result<Survey> Look(const Board& board) = 0;
  // Nothing for a legal move; kOffBoard for a text that cannot be a move. An error is not
  // about the law: a position that cannot be read, a server that does not answer.
  virtual Result<std::optional<rules::Illegal>> WhyIllegal(const Board& board,
                                                           const std::string& move) = 0;
  virtual Result<Listing> List(const Board& board, const std::string& move) = 0;
  // The position after a legal move, in normal form.
  virtual Result<std::string> Play(const Board& board, const std::string& move) = 0;
  // Moves after the end do not count.
  virtual Result<GameAnswer> JudgeGame(const GameQuestion& game) = 0;
  virtual Result<std::string> Write(const Board& board, const std::string& legal_move,
                                    const Spelling& spelling) = 0;
  // In plain notation.
  virtual Result<std::string> Read(const Board& board, const std::string& text,
                                   const Spelling& spelling) = 0;
};

// `error` of the move played after `ply` plies.
Error AtPly(const Error& error, std::size_t ply, const std::string& move);

}  // namespace komadai::conformance
