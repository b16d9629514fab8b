// Counts legal moves without listing them: whole sets of pieces are shifted one step at a time, and
// the targets counted. The heart of perft and of the question whether a side can move at all.
#pragma once

#include "libs/rules/shogi/generate.h"

namespace komadai::rules::shogi {

// Targets of a move in one direction at which (or from which) a piece may promote.
template <class G, Side kUs, Direction kDirection>
constexpr typename G::Bits PromotionTargets() {
  typename G::Bits targets = kTables<G>.zone[Index(kUs)];
  for (int s = 0; s < kSquares<G>; ++s) {
    const int file = s / G::kRanks + kSteps[kDirection].file;
    const int rank = s % G::kRanks + kSteps[kDirection].rank;
    if (!InZone<G>(kUs, s) || file < 0 || file >= G::kFiles || rank < 0 || rank >= G::kRanks) {
      continue;
    }
    targets |= BitOf<G>(file * G::kRanks + rank);
  }
  return targets;
}

template <class G, Side kUs, Direction kDirection>
int CountSteps(typename G::Bits steppers, typename G::Bits silvers, typename G::Bits targets) {
  constexpr auto kPromotion = PromotionTargets<G, kUs, kDirection>();
  return PopCount(Shift<G, kDirection>(steppers) & targets) +
         PopCount(Shift<G, kDirection>(silvers) & targets & kPromotion);
}

// Moves of one piece to `targets`, both choices of promotion counted.
template <class G, Side kUs>
int CountOnePiece(Kind kind, int from, typename G::Bits targets) {
  if (!CanPromote(kind)) return PopCount(targets);
  const auto zone = kTables<G>.zone[Index(kUs)];
  const bool leaves_zone = (zone & BitOf<G>(from)) != 0;
  return PopCount(targets & ~DeadRanks<G>(kUs, kind)) +
         PopCount(leaves_zone ? targets : targets & zone);
}

template <class G, Side kUs>
int CountStepMoves(const Board<G>& board, typename G::Bits movers, typename G::Bits targets) {
  using Bits = typename G::Bits;
  using F = Facing<kUs>;
  constexpr Bits kZone = kTables<G>.zone[Index(kUs)];
  constexpr Bits kNotLast = ~DeadRanks<G>(kUs, kPawn);
  const Steppers<Bits> s = SteppersOf(board, movers);
  const Bits silvers = board.layer[kSilvers] & movers;
  const Bits pawns = board.layer[kPawns] & movers;

  const Bits pawn_targets = Shift<G, F::kAhead>(pawns) & targets;
  int count = PopCount(pawn_targets & kNotLast) + PopCount(pawn_targets & kZone);
  count += CountSteps<G, kUs, F::kAhead>(s.ahead & ~pawns, silvers, targets);
  count += CountSteps<G, kUs, F::kAheadEast>(s.diagonal_ahead, silvers, targets);
  count += CountSteps<G, kUs, F::kAheadWest>(s.diagonal_ahead, silvers, targets);
  count += CountSteps<G, kUs, F::kBehindEast>(s.diagonal_behind, silvers, targets);
  count += CountSteps<G, kUs, F::kBehindWest>(s.diagonal_behind, silvers, targets);
  count += PopCount(Shift<G, kEast>(s.beside_behind) & targets);
  count += PopCount(Shift<G, kWest>(s.beside_behind) & targets);
  count += PopCount(Shift<G, F::kBehind>(s.beside_behind) & targets);
  if constexpr (G::kHasLances) {
    constexpr Bits kAlive = ~DeadRanks<G>(kUs, kKnight);
    const Bits lower = ShiftKnight<G, kUs, false>(s.knights) & targets;
    const Bits higher = ShiftKnight<G, kUs, true>(s.knights) & targets;
    count += PopCount(lower & kAlive) + PopCount(lower & kZone) + PopCount(higher & kAlive) +
             PopCount(higher & kZone);
  }
  return count;
}

// The slides of `movers`; the steps of dragons and horses are not counted here.
template <class G, Side kUs>
int CountSlides(const Board<G>& board, typename G::Bits movers, typename G::Bits targets,
                typename G::Bits occupied) {
  using Bits = typename G::Bits;
  int count = 0;
  const auto count_from = [&](Kind kind, int from, Bits attacks) {
    const bool crowned = (board.layer[kCrowned] & BitOf<G>(from)) != 0;
    count += CountOnePiece<G, kUs>(crowned ? Promoted(kind) : kind, from, attacks & targets);
  };
  if constexpr (G::kHasLances) {
    for (Bits lances = board.layer[kLances] & movers; lances != 0;) {
      const int from = PopLowest(lances);
      count += CountOnePiece<G, kUs>(kLance, from, LanceAttacks<G, kUs>(from, occupied) & targets);
    }
  }
  for (Bits bishops = board.layer[kBishops] & movers; bishops != 0;) {
    const int from = PopLowest(bishops);
    count_from(kBishop, from, BishopAttacks<G>(from, occupied));
  }
  for (Bits rooks = board.layer[kRooks] & movers; rooks != 0;) {
    const int from = PopLowest(rooks);
    count_from(kRook, from, RookAttacks<G>(from, occupied));
  }
  return count;
}

template <class G, Side kUs>
int CountDrops(const Board<G>& board, typename G::Bits empty) {
  using Bits = typename G::Bits;
  const auto& hand = board.hands[Index(kUs)];
  const auto has = [&hand](Kind kind) { return hand[Index(kind)] != 0 ? 1 : 0; };
  int count = (has(kSilver) + has(kGold) + has(kBishop) + has(kRook)) * PopCount(empty);
  if constexpr (G::kHasLances) {
    count += has(kLance) * PopCount(empty & ~DeadRanks<G>(kUs, kLance)) +
             has(kKnight) * PopCount(empty & ~DeadRanks<G>(kUs, kKnight));
  }
  if (has(kPawn) != 0) {
    const Bits targets = empty & ~DeadRanks<G>(kUs, kPawn) &
                         FilesWithout<G>(board.layer[kPawns] & board.of[Index(kUs)]);
    count += PopCount(targets);
    const Bits check = targets & PawnCheckSquare<G, kUs>(board);
    if (check != 0 && PawnDropMates<G, kUs>(board, Lowest(check))) --count;
  }
  return count;
}

template <class G, Side kUs>
int CountMoves(const Board<G>& board) {
  using Bits = typename G::Bits;
  const Bits occupied = board.occupied();
  const Bits own = board.of[Index(kUs)];
  const Safety<G> safety = SafetyOf<G, kUs>(board, occupied);

  int count = PopCount(KingTargets<G, kUs>(board, occupied));
  if (safety.targets == 0) return count;
  const Bits targets = safety.targets & ~own;
  const Bits free = own & ~safety.pinned & ~board.layer[kKings];
  count += CountStepMoves<G, kUs>(board, free, targets);
  count += CountSlides<G, kUs>(board, free, targets, occupied);
  for (int i = 0; i < safety.pin_count; ++i) {
    const int from = safety.pins[i].square;
    const Kind kind = KindIn(board.squares[from]);
    count += CountOnePiece<G, kUs>(
        kind, from, AttacksOf<G>(kUs, kind, from, occupied) & targets & safety.pins[i].line);
  }
  return count + CountDrops<G, kUs>(board, safety.targets & ~occupied);
}

template <class G, Side kUs>
KOMADAI_FOR_MODERN_CPU int CountMovesModern(const Board<G>& board) {
  return CountMoves<G, kUs>(board);
}

// For the side to move, with the best instructions the processor has.
template <class G>
int CountMovesHere(const Board<G>& board) {
  if (board.side_to_move == Side::kFirst) {
    return HasModernCpu() ? CountMovesModern<G, Side::kFirst>(board)
                          : CountMoves<G, Side::kFirst>(board);
  }
  return HasModernCpu() ? CountMovesModern<G, Side::kSecond>(board)
                        : CountMoves<G, Side::kSecond>(board);
}

}  // namespace komadai::rules::shogi
