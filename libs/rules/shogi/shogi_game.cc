#include "libs/rules/shogi/shogi_game.h"

#include <type_traits>

#include "libs/rules/shogi/board.h"
#include "libs/rules/shogi/counting.h"
#include "libs/rules/shogi/generate.h"
#include "libs/rules/shogi/handicaps.h"
#include "libs/rules/shogi/legality.h"
#include "libs/rules/shogi/perft.h"
#include "libs/rules/shogi/play.h"
#include "libs/rules/shogi/rulesets.h"
#include "libs/rules/shogi/setup_check.h"

namespace komadai::rules::shogi {
namespace {

template <class G>
class GameOn final : public Game {
  using State = Board<G>;
  static_assert(sizeof(State) <= Position::kStateBytes && alignof(State) <= 16);
  static_assert(std::is_trivially_copyable_v<State>);

  static const State& In(const std::byte* state) { return *reinterpret_cast<const State*>(state); }
  static State& In(std::byte* state) { return *reinterpret_cast<State*>(state); }

  static PackedMove Pack(Move move) {
    const int to = IndexOf<G>(move.to);
    if (move.is_drop()) return PackDrop(move.dropped, to);
    return PackBoard(IndexOf<G>(move.from), to, move.promotes);
  }
  static Move Unpack(PackedMove move) {
    const Square to = SquareOf<G>(TargetOf(move));
    if ((move & kDrops) != 0) return Move::Drop(DroppedBy(move), to);
    return Move::Board(SquareOf<G>(OriginOf(move)), to, (move & kPromotes) != 0);
  }
  static bool Inside(Square square) {
    return square.valid() && square.file() < G::kFiles && square.rank() < G::kRanks;
  }

 public:
  Variant variant() const override { return G::kVariant; }

  std::span<const Ruleset> Rulesets() const override { return shogi::Rulesets<G>(); }
  std::span<const Handicap> Handicaps() const override { return shogi::Handicaps<G>(); }
  Setup StartSetup(const Handicap& handicap) const override {
    return WithHandicap(EvenSetup<G>(), handicap);
  }

  std::optional<SetupFault> Build(const Setup& setup, Kings kings,
                                  std::byte* state) const override {
    return BuildBoard<G>(setup, kings, *new (state) State());
  }
  Side SideToMove(const std::byte* state) const override { return In(state).side_to_move; }
  Piece At(const std::byte* state, Square square) const override {
    const std::uint8_t cell = In(state).squares[IndexOf<G>(square)];
    return {KindIn(cell), SideIn(cell)};
  }
  int Hand(const std::byte* state, Side side, Kind kind) const override {
    return kind > kGold ? 0 : In(state).hands[Index(side)][Index(kind)];
  }
  std::optional<Square> King(const std::byte* state, Side side) const override {
    const int king = In(state).king[Index(side)];
    if (king == kNoSquare) return std::nullopt;
    return SquareOf<G>(king);
  }
  std::uint64_t Key(const std::byte* state) const override { return In(state).key; }
  bool Equal(const std::byte* a, const std::byte* b) const override {
    return In(a).key == In(b).key && In(a).squares == In(b).squares && In(a).hands == In(b).hands &&
           In(a).side_to_move == In(b).side_to_move;
  }

  bool InCheck(const std::byte* state) const override {
    return KingAttacked(In(state), In(state).side_to_move);
  }
  void LegalMoves(const std::byte* state, MoveList& moves) const override {
    const State& board = In(state);
    PackedList packed;
    if (board.side_to_move == Side::kFirst) {
      Generate<G, Side::kFirst>(board, packed);
    } else {
      Generate<G, Side::kSecond>(board, packed);
    }
    for (int i = 0; i < packed.size; ++i) moves.Add(Unpack(packed.moves[i]));
  }
  int CountLegalMoves(const std::byte* state) const override { return CountMovesHere(In(state)); }
  std::optional<Illegal> WhyIllegal(const std::byte* state, Move move) const override {
    if (!Inside(move.to)) return Illegal::kOffBoard;
    const int to = IndexOf<G>(move.to);
    if (move.is_drop()) {
      if (move.from.valid()) return Illegal::kOffBoard;
      if (move.promotes) return Illegal::kCannotPromote;
      return WhyDropIllegal(In(state), move.dropped, to);
    }
    if (!Inside(move.from)) return Illegal::kOffBoard;
    return WhyBoardMoveIllegal(In(state), IndexOf<G>(move.from), to, move.promotes);
  }
  bool CanReach(const std::byte* state, Square from, Square to) const override {
    const State& board = In(state);
    if (!Inside(from) || !Inside(to)) return false;
    const int origin = IndexOf<G>(from);
    const std::uint8_t cell = board.squares[origin];
    if (cell == 0 || SideIn(cell) != board.side_to_move) return false;
    return (AttacksOf<G>(SideIn(cell), KindIn(cell), origin, board.occupied()) &
            ~board.of[Index(board.side_to_move)] & BitOf<G>(IndexOf<G>(to))) != 0;
  }
  bool CanPromote(const std::byte* state, Square from, Square to) const override {
    const State& board = In(state);
    if (!Inside(from) || !Inside(to)) return false;
    const std::uint8_t cell = board.squares[IndexOf<G>(from)];
    return cell != 0 && MayPromote<G>(SideIn(cell), KindIn(cell), IndexOf<G>(from), IndexOf<G>(to));
  }
  std::uint64_t Perft(const std::byte* state, int depth) const override {
    const State& board = In(state);
    return board.side_to_move == Side::kFirst ? PerftFrom<G, Side::kFirst>(board, depth)
                                              : PerftFrom<G, Side::kSecond>(board, depth);
  }

  Kind Play(std::byte* state, Move move) const override { return PlayMove(In(state), Pack(move)); }
  bool Undo(std::byte* state, Move move, Kind captured) const override {
    if (!Inside(move.to) || (!move.is_drop() && !Inside(move.from))) return false;
    return UndoMove(In(state), Pack(move), captured);
  }

  Material CountMaterial(const std::byte* state) const override;
};

// Rook and bishop are worth five points, promoted or not, everything else but the king one.
constexpr int PointsOf(Kind kind) {
  const Kind plain = Unpromoted(kind);
  if (plain == kKing) return 0;
  return plain == kRook || plain == kBishop ? 5 : 1;
}

template <class G>
Material GameOn<G>::CountMaterial(const std::byte* state) const {
  const State& board = In(state);
  Material material;
  for (int s = 0; s < kSquares<G>; ++s) {
    const std::uint8_t cell = board.squares[s];
    if (cell == 0) continue;
    const Side side = SideIn(cell);
    const auto i = static_cast<std::size_t>(side);
    const int points = PointsOf(KindIn(cell));
    material.points_everywhere[i] += points;
    if (!InZone<G>(side, s)) continue;
    material.points_in_zone[i] += points;
    if (KindIn(cell) == kKing) {
      material.king_in_zone[i] = true;
    } else {
      ++material.pieces_in_zone[i];
    }
  }
  for (const Kind kind : kHandKinds) {
    for (std::size_t i = 0; i < 2; ++i) {
      const int points = PointsOf(kind) * board.hands[i][Index(kind)];
      material.points_everywhere[i] += points;
      material.points_in_zone[i] += points;
    }
    material.full_set_points += PointsOf(kind) * G::kSet[Index(kind)];
  }
  return material;
}

}  // namespace

const Game& ShogiGame() {
  static const GameOn<Nine> game;
  return game;
}

const Game& MinishogiGame() {
  static const GameOn<Five> game;
  return game;
}

}  // namespace komadai::rules::shogi
