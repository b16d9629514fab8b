#include "libs/rules/xiangqi/legality.h"

#include <cstdlib>

#include "libs/rules/xiangqi/attacks.h"

namespace komadai::rules::xiangqi {
namespace {

// A move as its side sees it: `forward` is towards the enemy.
struct Shape {
  Side side;
  int from;
  int to;
  int forward;
  int sideways;
};

std::optional<Illegal> WhyNotInPalace(const Shape& move, bool right_step) {
  if (!right_step) return Illegal::kBadGeometry;
  if (!InPalace(move.side, move.to)) return Illegal::kPalace;
  return std::nullopt;
}

std::optional<Illegal> WhyNotElephant(const Board& board, const Shape& move) {
  if (std::abs(move.forward) != 2 || move.sideways != 2) return Illegal::kBadGeometry;
  if (CrossedRiver(move.side, move.to)) return Illegal::kElephantRiver;
  if (board.squares[(move.from + move.to) / 2] != 0) return Illegal::kElephantEye;
  return std::nullopt;
}

std::optional<Illegal> WhyNotHorse(const Board& board, const Shape& move) {
  const bool upright = std::abs(move.forward) == 2 && move.sideways == 1;
  const bool flat = std::abs(move.forward) == 1 && move.sideways == 2;
  if (!upright && !flat) return Illegal::kBadGeometry;
  const int leg = upright ? move.from + (RankOf(move.to) > RankOf(move.from) ? 1 : -1)
                          : move.from + (move.to > move.from ? kRanks : -kRanks);
  if (board.squares[leg] != 0) return Illegal::kHorseLeg;
  return std::nullopt;
}

std::optional<Illegal> WhyNotSoldier(const Shape& move) {
  if (std::abs(move.forward) + move.sideways != 1) return Illegal::kBadGeometry;
  if (move.forward < 0) return Illegal::kPawnBackward;
  if (move.sideways != 0 && !CrossedRiver(move.side, move.from)) {
    return Illegal::kPawnSidewaysBeforeRiver;
  }
  return std::nullopt;
}

std::optional<Illegal> WhyNotSlider(const Board& board, const Shape& move, bool cannon) {
  if (move.forward != 0 && move.sideways != 0) return Illegal::kBadGeometry;
  const int between = PopCount(kTables.between[move.from][move.to] & board.occupied());
  if (!cannon || board.squares[move.to] == 0) {
    if (between != 0) return Illegal::kBlocked;
  } else if (between != 1) {
    return Illegal::kCannonScreen;
  }
  return std::nullopt;
}

std::optional<Illegal> WhyBadMovement(const Board& board, Kind kind, const Shape& move) {
  const int steps = std::abs(move.forward) + move.sideways;
  switch (kind) {
    case kGeneral:
      return WhyNotInPalace(move, steps == 1);
    case kAdvisor:
      return WhyNotInPalace(move, std::abs(move.forward) == 1 && move.sideways == 1);
    case kElephant:
      return WhyNotElephant(board, move);
    case kHorse:
      return WhyNotHorse(board, move);
    case kSoldier:
      return WhyNotSoldier(move);
    default:
      return WhyNotSlider(board, move, kind == kCannon);
  }
}

}  // namespace

bool GeneralsFacing(const Board& board) {
  if (board.king[0] == kNoSquare || board.king[1] == kNoSquare) return false;
  if (FileOf(board.king[0]) != FileOf(board.king[1])) return false;
  return (kTables.between[board.king[0]][board.king[1]] & board.occupied()) == 0;
}

std::optional<Illegal> WhyIllegalMove(const Board& board, int from, int to) {
  const Side us = board.side_to_move;
  const std::uint8_t mover = board.squares[from];
  const std::uint8_t target = board.squares[to];
  if (mover == 0) return Illegal::kNoSuchPiece;
  if (SideIn(mover) != us) return Illegal::kWrongSide;
  if (from == to) return Illegal::kBadGeometry;
  const Shape move = {us, from, to, RankFor(us, RankOf(to)) - RankFor(us, RankOf(from)),
                      std::abs(FileOf(to) - FileOf(from))};
  const auto bad = WhyBadMovement(board, KindIn(mover), move);
  if (bad == Illegal::kBadGeometry) return bad;
  if (target != 0 && SideIn(target) == us) return Illegal::kOwnPiece;
  if (bad) return bad;

  Board after = board;
  PlayMove(after, from, to);
  if (GeneralsFacing(after)) return Illegal::kFlyingGeneral;
  if (CheckersOf(after, us) != 0) return Illegal::kLeavesKingInCheck;
  return std::nullopt;
}

}  // namespace komadai::rules::xiangqi
