// Game: the law of one variant, behind which Position works. Internal to libs/rules.
//
// A new game implements this in its own folder and is registered by its enumerator in types.h and
// its row in registry.cc; docs/rules.md walks through it.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "libs/rules/handicap.h"
#include "libs/rules/illegal.h"
#include "libs/rules/position.h"
#include "libs/rules/ruleset.h"
#include "libs/rules/setup.h"
#include "libs/rules/types.h"

namespace komadai::rules {

// One bit per square, numbered SquareIndex(variant, square).
using SquareSet = std::bitset<128>;

// file * ranks + rank: below 128 in every game.
int SquareIndex(Variant variant, Square square);
Square SquareAt(Variant variant, int index);

// The counts that impasse rules are made of; only a game with such a rule fills them.
struct Material {
  std::array<int, 2> points_everywhere{};  // board and hand, without the king
  std::array<int, 2> points_in_zone{};     // pieces in the enemy's zone, and hand
  std::array<int, 2> pieces_in_zone{};     // without the king
  std::array<bool, 2> king_in_zone{};
  int full_set_points = 0;  // of both sides together at the even start
};

// `state` is always the Position::state() of a position of this game. Implementations are
// stateless.
class Game {
 public:
  virtual ~Game() = default;

  virtual Variant variant() const = 0;

  // What the game is played under, its default first, and from where, the even game first.
  virtual std::span<const Ruleset> Rulesets() const = 0;
  virtual std::span<const Handicap> Handicaps() const = 0;
  // The pieces a game with this handicap starts with. Whose turn it is does not matter here.
  virtual Setup StartSetup(const Handicap& handicap) const = 0;

  // Writes `state` if the setup is possible.
  virtual std::optional<SetupFault> Build(const Setup& setup, Kings kings,
                                          std::byte* state) const = 0;
  virtual Side SideToMove(const std::byte* state) const = 0;
  virtual Piece At(const std::byte* state, Square square) const = 0;
  virtual int Hand(const std::byte* state, Side side, Kind kind) const = 0;
  virtual std::optional<Square> King(const std::byte* state, Side side) const = 0;
  virtual std::uint64_t Key(const std::byte* state) const = 0;
  virtual bool Equal(const std::byte* a, const std::byte* b) const = 0;

  virtual bool InCheck(const std::byte* state) const = 0;
  virtual void LegalMoves(const std::byte* state, MoveList& moves) const = 0;
  virtual int CountLegalMoves(const std::byte* state) const = 0;
  virtual std::optional<Illegal> WhyIllegal(const std::byte* state, Move move) const = 0;
  virtual bool CanReach(const std::byte* state, Square from, Square to) const = 0;
  virtual bool CanPromote(const std::byte* state, Square from, Square to) const = 0;
  virtual std::uint64_t Perft(const std::byte* state, int depth) const = 0;

  // Plays a legal move; returns the kind it captured, as it stood on the board.
  virtual Kind Play(std::byte* state, Move move) const = 0;
  // Takes back a move that captured `captured`. False, and an unspecified but harmless state, if no
  // such move can have led here: the bytes of a history come from outside.
  virtual bool Undo(std::byte* state, Move move, Kind captured) const = 0;

  // Games without an impasse rule count nothing.
  virtual Material CountMaterial(const std::byte* /*state*/) const { return {}; }
  // Whether neither side can ever mate.
  virtual bool InsufficientMaterial(const std::byte* /*state*/) const { return false; }
  // The squares (in `after`) of the pieces that `move` newly chases; games without a chase rule:
  // none.
  virtual SquareSet NewlyChased(const std::byte* /*before*/, Move /*move*/,
                                const std::byte* /*after*/) const {
    return {};
  }
};

// The registered law of a variant; never fails for an enumerator.
const Game& GameOf(Variant variant);

}  // namespace komadai::rules
