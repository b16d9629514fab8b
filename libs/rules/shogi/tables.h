// Attack tables of a geometry, computed by the compiler.
#pragma once

#include <array>
#include <cstdint>

#include "libs/rules/shogi/geometry.h"

namespace komadai::rules::shogi {

// The eight directions; the first four lead to higher square numbers.
enum Direction : int {
  kSouth,
  kWest,
  kSouthWest,
  kNorthWest,
  kNorth,
  kEast,
  kNorthEast,
  kSouthEast,
};
struct Step {
  int file;
  int rank;
};
inline constexpr Step kSteps[8] = {{0, 1},  {1, 0},  {1, 1},   {1, -1},
                                   {0, -1}, {-1, 0}, {-1, -1}, {-1, 1}};

// Steps of a stepping kind of First; Second's are these with the rank reversed. Sliders step with
// their promoted part only.
constexpr bool HasStep(Kind kind, Step step) {
  const bool orthogonal = step.file == 0 || step.rank == 0;
  const bool forward = step.rank < 0;
  if (kind == kPawn) return step.file == 0 && forward;
  if (kind == kSilver) return forward || !orthogonal;
  if (kind == kHorse) return orthogonal;
  if (kind == kDragon) return !orthogonal;
  if (kind == kKing) return true;
  if (kind == kGold || (IsPromoted(kind) && kind < kHorse)) return orthogonal || forward;
  return false;
}

template <class G>
struct Tables {
  using Bits = typename G::Bits;
  static constexpr int kN = kSquares<G>;
  using BySquare = std::array<Bits, static_cast<std::size_t>(kN)>;

  std::array<BySquare, 8> ray{};  // by direction, origin excluded
  std::array<BySquare, 2> lance{};
  BySquare rook{};    // on an empty board
  BySquare bishop{};  // on an empty board
  // Attacks on an empty board, by side and kind: geometry alone.
  std::array<std::array<BySquare, kKindLimit>, 2> reach{};
  // One-step (and knight) attacks, by side and kind.
  std::array<std::array<BySquare, kKindLimit>, 2> step{};
  std::array<BySquare, static_cast<std::size_t>(kN)> between{};  // exclusive, empty off the lines
  BySquare upwards{};                                            // this square and all above
  std::array<Bits, static_cast<std::size_t>(G::kRanks)> rank{};
  std::array<Bits, static_cast<std::size_t>(G::kFiles)> file{};
  std::array<Bits, 2> zone{};
  Bits all{};

  constexpr Tables() {
    FillLines();
    FillSteps();
    FillReach();
    FillBetween();
  }

 private:
  static constexpr bool Inside(int file_number, int rank_number) {
    return file_number >= 0 && file_number < G::kFiles && rank_number >= 0 &&
           rank_number < G::kRanks;
  }
  static constexpr Bits BitAt(int file_number, int rank_number) {
    return BitOf<G>(file_number * G::kRanks + rank_number);
  }

  constexpr void FillLines() {
    for (int s = 0; s < kN; ++s) {
      const int f = s / G::kRanks;
      const int r = s % G::kRanks;
      all |= BitOf<G>(s);
      rank[r] |= BitOf<G>(s);
      file[f] |= BitOf<G>(s);
      for (int side = 0; side < 2; ++side) {
        if (InZone<G>(static_cast<Side>(side), s)) zone[side] |= BitOf<G>(s);
      }
      for (int d = 0; d < 8; ++d) {
        int to_f = f + kSteps[d].file;
        int to_r = r + kSteps[d].rank;
        for (; Inside(to_f, to_r); to_f += kSteps[d].file, to_r += kSteps[d].rank) {
          ray[d][s] |= BitAt(to_f, to_r);
        }
      }
      rook[s] = ray[kNorth][s] | ray[kSouth][s] | ray[kEast][s] | ray[kWest][s];
      bishop[s] = ray[kNorthWest][s] | ray[kSouthWest][s] | ray[kNorthEast][s] | ray[kSouthEast][s];
      lance[0][s] = ray[kNorth][s];
      lance[1][s] = ray[kSouth][s];
      for (int t = s; t < kN; ++t) upwards[s] |= BitOf<G>(t);
    }
  }

  constexpr void FillSteps() {
    for (int side = 0; side < 2; ++side) {
      const int forward = side == 0 ? 1 : -1;
      for (int s = 0; s < kN; ++s) {
        const int f = s / G::kRanks;
        const int r = s % G::kRanks;
        for (int kind = 1; kind < kKindLimit; ++kind) {
          for (const Step step_of : kSteps) {
            if (HasStep(static_cast<Kind>(kind), step_of) &&
                Inside(f + step_of.file, r + forward * step_of.rank)) {
              step[side][kind][s] |= BitAt(f + step_of.file, r + forward * step_of.rank);
            }
          }
        }
        for (const int aside : {-1, 1}) {
          if (Inside(f + aside, r - 2 * forward)) {
            step[side][Index(kKnight)][s] |= BitAt(f + aside, r - 2 * forward);
          }
        }
      }
    }
  }

  constexpr void FillReach() {
    for (int side = 0; side < 2; ++side) {
      reach[side] = step[side];
      for (int s = 0; s < kN; ++s) {
        reach[side][Index(kLance)][s] = lance[side][s];
        reach[side][Index(kBishop)][s] = bishop[s];
        reach[side][Index(kRook)][s] = rook[s];
        reach[side][Index(kHorse)][s] |= bishop[s];
        reach[side][Index(kDragon)][s] |= rook[s];
      }
    }
  }

  constexpr void FillBetween() {
    for (int s = 0; s < kN; ++s) {
      for (int d = 0; d < 8; ++d) {
        const int f = s / G::kRanks;
        const int r = s % G::kRanks;
        Bits passed{};
        int to_f = f + kSteps[d].file;
        int to_r = r + kSteps[d].rank;
        for (; Inside(to_f, to_r); to_f += kSteps[d].file, to_r += kSteps[d].rank) {
          between[s][to_f * G::kRanks + to_r] = passed;
          passed |= BitAt(to_f, to_r);
        }
      }
    }
  }
};

template <class G>
inline constexpr Tables<G> kTables{};

}  // namespace komadai::rules::shogi
