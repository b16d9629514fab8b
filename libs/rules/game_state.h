// GameState: a game so far, judged after every move.
//
// Its whole state is (ruleset, current position, history bytes), so a stateless service can
// continue a game without replaying it: store position and history, append LastEntry() after each
// move. A move costs the same at ply 10 and at ply 400 but for a scan of 8 bytes per ply.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "libs/base/result.h"
#include "libs/rules/impasse.h"
#include "libs/rules/position.h"
#include "libs/rules/ruleset.h"
#include "libs/rules/verdict.h"

namespace komadai::rules {

inline constexpr Reason kGameOver{Code::kFailedPrecondition, "GAME_OVER"};
inline constexpr Reason kBadHistory{Code::kInvalidArgument, "BAD_HISTORY"};
inline constexpr Reason kWrongVariant{Code::kInvalidArgument, "WRONG_VARIANT"};
inline constexpr Reason kNoSuchPly{Code::kOutOfRange, "NO_SUCH_PLY"};
inline constexpr Reason kImpasseRefused{Code::kFailedPrecondition, "IMPASSE_REFUSED"};

// What the players should be warned about before it happens.
struct RepetitionInfo {
  int occurrences = 1;  // of the current position, the current one included
  int limit = 0;        // the occurrence that ends the game; 0: none does
  // What the last occurrence would mean if both sides went on as since the first. Ongoing as long
  // as the position is new.
  Verdict if_repeated;
};

class GameState {
 public:
  // A game of at most this many plies can be recorded.
  static constexpr int kMaxPlies = 4096;

  // `plies_before` counts towards the ply limit (a game continued from elsewhere).
  // The start position itself may already be over. WRONG_VARIANT, NO_SUCH_PLY, BAD_COUNTER.
  static Result<GameState> Start(Ruleset ruleset, const Position& start, int plies_before = 0);
  // Continues from stored data. BAD_HISTORY if the bytes cannot belong to this position.
  static Result<GameState> Resume(Ruleset ruleset, const Position& current,
                                  std::string_view history);

  const Ruleset& ruleset() const { return ruleset_; }
  const Position& position() const { return position_; }
  Verdict verdict() const { return verdict_; }
  // Plies played since the start position.
  int ply() const;

  // Plays one move. An illegal one is refused with its reason (INVALID_ARGUMENT/NIFU, ...) and
  // never recorded; where the ruleset says so, verdict() is a loss for the mover afterwards.
  // GAME_OVER.
  Status Play(Move move);
  // Takes back the last `plies` moves. NO_SUCH_PLY, BAD_HISTORY.
  Status TakeBack(int plies);
  // The move of a ply, from 0. Needs no replay.
  Result<Move> MoveAt(int ply) const;

  RepetitionInfo Repetition() const;
  // Explains a declaration without making it.
  ImpasseReport Impasse(ImpasseAsk ask, Side by) const;
  // Declares or agrees; IMPASSE_REFUSED (metadata "failures") or GAME_OVER changes nothing.
  Status DeclareImpasse(ImpasseAsk ask, Side by);

  // Header and one fixed-size entry per ply. Append-only: keep what you have, append LastEntry()
  // (empty before the first move).
  const std::string& history() const { return history_; }
  std::string_view LastEntry() const;

 private:
  GameState(Ruleset ruleset, const Position& position)
      : ruleset_(std::move(ruleset)), position_(position) {}

  Result<Verdict> Judge() const;

  Ruleset ruleset_;
  Position position_;
  std::string history_;
  Verdict verdict_;
};

}  // namespace komadai::rules
