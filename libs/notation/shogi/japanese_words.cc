#include "libs/notation/shogi/japanese_words.h"

#include <algorithm>
#include <vector>

#include "libs/notation/shogi/shogi_moves.h"
#include "libs/notation/shogi/shogi_squares.h"
#include "libs/rules/shogi/kinds.h"

namespace komadai::notation {
namespace {

using rules::Kind;
using rules::Move;
using rules::Position;
using rules::Side;
using rules::Square;

// Ranks count down towards First's side, so First goes up by lowering them.
Motion MotionOf(Side side, Square from, Square to) {
  if (from.rank() == to.rank()) return Motion::kSideways;
  return (from.rank() > to.rank()) == (side == Side::kFirst) ? Motion::kUp : Motion::kBack;
}

// How far to the right the mover sees a square. File 1 is First's right edge.
int Rightness(Side side, Square square) {
  return side == Side::kFirst ? -square.file() : square.file();
}

// 直 belongs to silvers and everything that moves as a gold.
bool MayGoStraight(Kind kind) {
  namespace shogi = rules::shogi;
  return kind == shogi::kSilver || kind == shogi::kGold ||
         (shogi::IsPromoted(kind) && kind != shogi::kHorse && kind != shogi::kDragon);
}

bool GoesStraight(Side side, Kind kind, Move move) {
  return MayGoStraight(kind) && move.from.file() == move.to.file() &&
         MotionOf(side, move.from, move.to) == Motion::kUp;
}

// The other pieces that could make the move.
std::vector<Square> Twins(const Position& position, Kind kind, Move move) {
  std::vector<Square> squares = Reaching(position, kind, move.to);
  std::erase(squares, move.from);
  return squares;
}

// The flank that singles `from` out among its twins, or the one it shares if none does.
Flank FlankOf(Side side, Square from, const std::vector<Square>& twins, bool& single) {
  const int own = Rightness(side, from);
  const auto all = [&twins, side](auto condition) {
    return std::ranges::all_of(twins,
                               [&](Square twin) { return condition(Rightness(side, twin)); });
  };
  single = true;
  if (all([own](int twin) { return twin < own; })) return Flank::kRight;
  if (all([own](int twin) { return twin > own; })) return Flank::kLeft;
  single = false;
  return all([own](int twin) { return twin <= own; }) ? Flank::kRight : Flank::kLeft;
}

}  // namespace

std::u32string TargetWord(Square to, std::optional<Square> previous) {
  if (previous == to) return U"同　";
  std::u32string out(FullWidthDigit(to.file() + 1));
  out += KanjiDigit(to.rank() + 1);
  return out;
}

Words WordsFor(const Position& position, Move move) {
  const Side side = position.side_to_move();
  const Kind kind = MovedKind(position, move);
  const std::vector<Square> twins = Twins(position, kind, move);
  Words words;
  if (twins.empty()) return words;
  if (move.is_drop()) {
    words.drop = true;
    return words;
  }
  const Motion motion = MotionOf(side, move.from, move.to);
  const bool motion_is_enough = std::ranges::none_of(
      twins, [&](Square twin) { return MotionOf(side, twin, move.to) == motion; });
  if (motion_is_enough) {
    words.motion = motion;
    return words;
  }
  if (GoesStraight(side, kind, move)) {
    words.flank = Flank::kStraight;
    return words;
  }
  bool single = false;
  words.flank = FlankOf(side, move.from, twins, single);
  if (!single) words.motion = motion;
  return words;
}

bool Holds(const Words& words, const Position& position, Move move) {
  if (move.is_drop()) return words.motion == Motion::kNone && words.flank == Flank::kNone;
  if (words.drop) return false;
  const Side side = position.side_to_move();
  const Kind kind = MovedKind(position, move);
  if (words.motion != Motion::kNone && words.motion != MotionOf(side, move.from, move.to)) {
    return false;
  }
  if (words.flank == Flank::kStraight) return GoesStraight(side, kind, move);
  if (words.flank == Flank::kNone) return true;
  const bool right = words.flank == Flank::kRight;
  return std::ranges::none_of(Twins(position, kind, move), [&](Square twin) {
    if (words.motion != Motion::kNone && MotionOf(side, twin, move.to) != words.motion) {
      return false;
    }
    const int difference = Rightness(side, twin) - Rightness(side, move.from);
    return right ? difference > 0 : difference < 0;
  });
}

}  // namespace komadai::notation
