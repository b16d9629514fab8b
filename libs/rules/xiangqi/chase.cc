#include "libs/rules/xiangqi/chase.h"

#include "libs/rules/xiangqi/attacks.h"

namespace komadai::rules::xiangqi {
namespace {

Bits CapturesFrom(const Board& board, int square) {
  const std::uint8_t cell = board.squares[square];
  return CapturesOf(SideIn(cell), KindIn(cell), square, OccupancyOf(board));
}

bool Attacks(const Board& board, int attacker, int victim) {
  return (CapturesFrom(board, attacker) & BitOf(victim)) != 0;
}

Board After(const Board& board, int from, int to) {
  Board after = board;
  PlayMove(after, from, to);
  return after;
}

// Who may chase: everything but general and soldiers.
Bits Chasers(const Board& board, Side side) {
  return board.of[Index(side)] & ~(board.kind[Index(kGeneral)] | board.kind[Index(kSoldier)]);
}

// Who can be chased: everything but the general and soldiers that have not crossed the river.
Bits Victims(const Board& board, Side side) {
  const Bits waiting = board.kind[Index(kSoldier)] & kTables.home[Index(side)];
  return board.of[Index(side)] & ~board.kind[Index(kGeneral)] & ~waiting;
}

// A victim worth more than its attacker is chased whether it is protected or not.
bool Outranks(Kind victim, Kind attacker) {
  if (attacker == kHorse || attacker == kCannon) return victim == kChariot;
  if (attacker == kAdvisor || attacker == kElephant) {
    return victim == kChariot || victim == kHorse || victim == kCannon;
  }
  return false;
}

// One side's view of a position: the attackers of the victims' general that a mere capture
// elsewhere does not have to answer.
struct Scene {
  const Board& board;
  Bits tolerated;

  Scene(const Board& seen, Side victims) : board(seen), tolerated(CheckersOf(seen, victims)) {}
};

// The pieces of `victims` aiming at `point`, where an enemy piece has just captured, and those of
// them that may recapture: the own general must not be attacked by anything that did not attack it
// before, and a general that recaptures itself must not be attacked at all.
struct Recaptures {
  Bits aiming{};
  Bits legal{};
};
Recaptures FindRecaptures(const Scene& scene, const Board& captured, Side victims, int point) {
  Recaptures found;
  for (Bits pieces = captured.of[Index(victims)]; pieces != 0;) {
    const int from = PopLowest(pieces);
    if (!Attacks(captured, from, point)) continue;
    found.aiming |= BitOf(from);
    const bool by_general = KindIn(captured.squares[from]) == kGeneral;
    const Bits attackers = CheckersOf(After(captured, from, point), victims);
    if ((by_general ? attackers : attackers & ~scene.tolerated) == 0) found.legal |= BitOf(from);
  }
  return found;
}

// Like takes like: the victim could as well capture its attacker, so this is an exchange offer.
bool IsExchangeOffer(const Scene& scene, Side victims, int attacker, int victim) {
  const Board& board = scene.board;
  if (KindIn(board.squares[attacker]) != KindIn(board.squares[victim])) return false;
  if (!Attacks(board, victim, attacker)) return false;
  return (CheckersOf(After(board, victim, attacker), victims) & ~scene.tolerated) == 0;
}

// Whether a piece of `chaser` could take `victim` but for a check that it would have to answer
// first: it is not pinned.
bool MayTake(const Board& board, Side chaser, int attacker, int victim) {
  if (!Attacks(board, attacker, victim)) return false;
  const Bits standing = CheckersOf(board, chaser);
  return (CheckersOf(After(board, attacker, victim), chaser) & ~standing) == 0;
}

// Whether `attacker` threatens `victim` in `now`, and did not so before; it stood on
// `attacker_was`.
bool NewlyThreatens(const Scene& was, const Scene& now, Side chaser, int attacker_was, int attacker,
                    int victim) {
  if (!Attacks(now.board, attacker, victim)) return false;
  const Side victims = Opponent(chaser);
  const Board captured = After(now.board, attacker, victim);
  if (CheckersOf(captured, chaser) != 0) return false;  // it may not capture at all
  const bool attacked_before = MayTake(was.board, chaser, attacker_was, victim);
  if (Outranks(KindIn(now.board.squares[victim]), KindIn(now.board.squares[attacker]))) {
    return !attacked_before;
  }
  const Recaptures replies = FindRecaptures(now, captured, victims, victim);
  if (replies.legal != 0 || IsExchangeOffer(now, victims, attacker, victim)) return false;
  if (!attacked_before) return true;
  // It attacked before: new only if this move took the protection away by a pin or a discovered
  // check, that is, a protector still aims at the victim but may no longer recapture.
  const Recaptures before =
      FindRecaptures(was, After(was.board, attacker_was, victim), victims, victim);
  return (before.legal & replies.aiming) != 0;
}

}  // namespace

Bits NewlyChasedBy(const Board& before, int from, int to, const Board& after) {
  const Side chaser = before.side_to_move;
  const Side victims = Opponent(chaser);
  const Scene was(before, victims);
  const Scene now(after, victims);
  Bits chased{0};
  for (Bits chasers = Chasers(after, chaser); chasers != 0;) {
    const int attacker = PopLowest(chasers);
    const int attacker_was = attacker == to ? from : attacker;
    Bits attacked = CapturesFrom(after, attacker) & Victims(after, victims) & ~chased;
    while (attacked != 0) {
      const int victim = PopLowest(attacked);
      if (NewlyThreatens(was, now, chaser, attacker_was, attacker, victim)) {
        chased |= BitOf(victim);
      }
    }
  }
  return chased;
}

}  // namespace komadai::rules::xiangqi
