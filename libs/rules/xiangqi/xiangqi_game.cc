#include "libs/rules/xiangqi/xiangqi_game.h"

#include <type_traits>

#include "libs/rules/xiangqi/attacks.h"
#include "libs/rules/xiangqi/chase.h"
#include "libs/rules/xiangqi/generate.h"
#include "libs/rules/xiangqi/handicaps.h"
#include "libs/rules/xiangqi/legality.h"
#include "libs/rules/xiangqi/perft.h"
#include "libs/rules/xiangqi/rulesets.h"
#include "libs/rules/xiangqi/setup_check.h"

namespace komadai::rules::xiangqi {
namespace {

static_assert(sizeof(Board) <= Position::kStateBytes && alignof(Board) <= 16);
static_assert(std::is_trivially_copyable_v<Board>);

const Board& In(const std::byte* state) { return *reinterpret_cast<const Board*>(state); }
Board& In(std::byte* state) { return *reinterpret_cast<Board*>(state); }

bool OnPoint(Square square) {
  return square.valid() && square.file() < kFiles && square.rank() < kRanks;
}

SquareSet ToSquareSet(Bits bits) {
  SquareSet set;
  while (bits != 0) set.set(static_cast<std::size_t>(PopLowest(bits)));
  return set;
}

// Takes a move back; false if the board cannot have come from it.
bool UndoMove(Board& board, int from, int to, Kind captured) {
  const Side us = Opponent(board.side_to_move);
  const std::uint8_t mover = board.squares[to];
  if (mover == 0 || SideIn(mover) != us || board.squares[from] != 0) return false;
  if (captured == kGeneral || captured > kSoldier) return false;
  if (captured != Kind::kNone &&
      PopCount(board.pieces(board.side_to_move, captured)) >= kSet[Index(captured)]) {
    return false;
  }
  const Side them = board.side_to_move;
  PlayMove(board, to, from);
  board.side_to_move = us;
  if (captured != Kind::kNone) {
    const std::uint8_t cell = Cell(them, captured);
    board.squares[to] = cell;
    Toggle(board, cell, to);
    board.key ^= kKeys.piece[cell][to];
  }
  return true;
}

class Xiangqi final : public Game {
 public:
  Variant variant() const override { return Variant::kXiangqi; }

  std::span<const Ruleset> Rulesets() const override { return xiangqi::Rulesets(); }
  std::span<const Handicap> Handicaps() const override { return xiangqi::Handicaps(); }
  Setup StartSetup(const Handicap& /*handicap*/) const override { return EvenSetup(); }

  std::optional<SetupFault> Build(const Setup& setup, Kings kings,
                                  std::byte* state) const override {
    return BuildBoard(setup, kings, *new (state) Board());
  }
  Side SideToMove(const std::byte* state) const override { return In(state).side_to_move; }
  Piece At(const std::byte* state, Square square) const override {
    const std::uint8_t cell = In(state).squares[IndexOf(square)];
    return {KindIn(cell), SideIn(cell)};
  }
  int Hand(const std::byte* /*state*/, Side /*side*/, Kind /*kind*/) const override { return 0; }
  std::optional<Square> King(const std::byte* state, Side side) const override {
    const int king = In(state).king[Index(side)];
    if (king == kNoSquare) return std::nullopt;
    return SquareOf(king);
  }
  std::uint64_t Key(const std::byte* state) const override { return In(state).key; }
  bool Equal(const std::byte* a, const std::byte* b) const override {
    return In(a).squares == In(b).squares && In(a).side_to_move == In(b).side_to_move;
  }

  bool InCheck(const std::byte* state) const override {
    return CheckersOf(In(state), In(state).side_to_move) != 0;
  }
  void LegalMoves(const std::byte* state, MoveList& moves) const override {
    PackedList packed;
    Generate(In(state), packed);
    for (int i = 0; i < packed.size; ++i) {
      moves.Add(
          Move::Board(SquareOf(OriginOf(packed.moves[i])), SquareOf(TargetOf(packed.moves[i]))));
    }
  }
  int CountLegalMoves(const std::byte* state) const override { return CountMovesHere(In(state)); }
  std::optional<Illegal> WhyIllegal(const std::byte* state, Move move) const override {
    if (move.is_drop()) return Illegal::kNotInHand;
    if (!OnPoint(move.from) || !OnPoint(move.to)) return Illegal::kOffBoard;
    if (move.promotes) return Illegal::kCannotPromote;
    return WhyIllegalMove(In(state), IndexOf(move.from), IndexOf(move.to));
  }
  bool CanReach(const std::byte* state, Square from, Square to) const override {
    const Board& board = In(state);
    if (!OnPoint(from) || !OnPoint(to)) return false;
    const std::uint8_t cell = board.squares[IndexOf(from)];
    if (cell == 0 || SideIn(cell) != board.side_to_move) return false;
    return (MovesOf(SideIn(cell), KindIn(cell), IndexOf(from), OccupancyOf(board),
                    board.of[Index(SideIn(cell))]) &
            BitOf(IndexOf(to))) != 0;
  }
  bool CanPromote(const std::byte* /*state*/, Square /*from*/, Square /*to*/) const override {
    return false;
  }
  std::uint64_t Perft(const std::byte* state, int depth) const override {
    return PerftFrom(In(state), depth);
  }

  Kind Play(std::byte* state, Move move) const override {
    return PlayMove(In(state), IndexOf(move.from), IndexOf(move.to));
  }
  bool Undo(std::byte* state, Move move, Kind captured) const override {
    if (move.is_drop() || move.promotes || !OnPoint(move.from) || !OnPoint(move.to)) return false;
    return UndoMove(In(state), IndexOf(move.from), IndexOf(move.to), captured);
  }

  // A single soldier or cannon is enough to continue; generals, advisors and elephants are not.
  bool InsufficientMaterial(const std::byte* state) const override {
    const Board& board = In(state);
    return (board.kind[Index(kChariot)] | board.kind[Index(kHorse)] | board.kind[Index(kCannon)] |
            board.kind[Index(kSoldier)]) == 0;
  }
  SquareSet NewlyChased(const std::byte* before, Move move, const std::byte* after) const override {
    return ToSquareSet(NewlyChasedBy(In(before), IndexOf(move.from), IndexOf(move.to), In(after)));
  }
};

}  // namespace

const Game& XiangqiGame() {
  static const Xiangqi game;
  return game;
}

}  // namespace komadai::rules::xiangqi
