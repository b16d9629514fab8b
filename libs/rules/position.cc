#include "libs/rules/position.h"

#include <string>

#include "libs/base/check.h"
#include "libs/rules/game.h"

namespace komadai::rules {
namespace {

// Far beyond any game, and small enough that counting on cannot overflow.
constexpr int kCounterLimit = 1'000'000;

bool InRange(int counter, int least) { return counter >= least && counter <= kCounterLimit; }

}  // namespace

Result<Position> Position::From(const Setup& setup, Kings kings) {
  Position position(GameOf(setup.variant));
  auto fault = position.game_->Build(setup, kings, position.state());
  if (!fault && !(InRange(setup.quiet_plies, 0) && InRange(setup.move_number, 1))) {
    fault = SetupFault::kBadCounter;
  }
  if (fault) return Error{ReasonOf(*fault), std::string(Explain(*fault))};
  position.quiet_plies_ = setup.quiet_plies;
  position.move_number_ = setup.move_number;
  return position;
}

Variant Position::variant() const { return game_->variant(); }
Side Position::side_to_move() const { return game_->SideToMove(state()); }

Piece Position::at(Square square) const {
  KOMADAI_CHECK(OnBoard(variant(), square));
  return game_->At(state(), square);
}

int Position::hand(Side side, Kind kind) const { return game_->Hand(state(), side, kind); }
std::optional<Square> Position::king(Side side) const { return game_->King(state(), side); }

Setup Position::ToSetup() const {
  Setup setup;
  setup.variant = variant();
  setup.side_to_move = side_to_move();
  setup.quiet_plies = quiet_plies_;
  setup.move_number = move_number_;
  for (int file = 0; file < FileCount(setup.variant); ++file) {
    for (int rank = 0; rank < RankCount(setup.variant); ++rank) {
      setup.Put(Square(file, rank), game_->At(state(), Square(file, rank)));
    }
  }
  for (const Side side : {Side::kFirst, Side::kSecond}) {
    for (int kind = 0; kind < kKindLimit; ++kind) {
      setup.hands[static_cast<std::size_t>(side)][static_cast<std::size_t>(kind)] =
          static_cast<std::uint8_t>(hand(side, static_cast<Kind>(kind)));
    }
  }
  return setup;
}

bool Position::InCheck() const { return game_->InCheck(state()); }

void Position::LegalMoves(MoveList& moves) const {
  moves.Clear();
  game_->LegalMoves(state(), moves);
}

int Position::CountLegalMoves() const { return game_->CountLegalMoves(state()); }
bool Position::HasLegalMove() const { return CountLegalMoves() > 0; }
bool Position::IsLegal(Move move) const { return !WhyIllegal(move).has_value(); }

std::optional<Illegal> Position::WhyIllegal(Move move) const {
  return game_->WhyIllegal(state(), move);
}

bool Position::CanReach(Square from, Square to) const { return game_->CanReach(state(), from, to); }
bool Position::CanPromote(Square from, Square to) const {
  return game_->CanPromote(state(), from, to);
}

void Position::Play(Move move) {
  KOMADAI_CHECK(IsLegal(move));
  PlayUnchecked(move);
}

Kind Position::PlayUnchecked(Move move) {
  const Kind captured = game_->Play(state(), move);
  quiet_plies_ = captured == Kind::kNone ? quiet_plies_ + 1 : 0;
  ++move_number_;
  return captured;
}

std::uint64_t Position::key() const { return game_->Key(state()); }

bool operator==(const Position& a, const Position& b) {
  return a.game_ == b.game_ && a.game_->Equal(a.state(), b.state());
}

}  // namespace komadai::rules
