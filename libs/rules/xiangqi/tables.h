// Attack tables of xiangqi, computed by the compiler.
#pragma once

#include <array>
#include <cstdint>

#include "libs/rules/xiangqi/board.h"

namespace komadai::rules::xiangqi {

struct Step {
  int file;
  int rank;
};
inline constexpr Step kOrthogonal[4] = {{-1, 0}, {0, -1}, {0, 1}, {1, 0}};
inline constexpr Step kDiagonal[4] = {{-1, -1}, {-1, 1}, {1, -1}, {1, 1}};

constexpr bool Inside(int file, int rank) {
  return file >= 0 && file < kFiles && rank >= 0 && rank < kRanks;
}
constexpr Bits BitAt(int file, int rank) {
  return Inside(file, rank) ? BitOf(file * kRanks + rank) : Bits{0};
}

constexpr int LowestOf(int bits) { return bits & -bits; }
constexpr int HighestOf(int bits) {
  return bits == 0 ? 0 : 1 << (31 - __builtin_clz(static_cast<unsigned>(bits)));
}

// What a chariot attacks on a line of `length` points, and where a cannon captures. Bit tricks,
// since the compiler limits how long it computes tables.
constexpr std::uint16_t ChariotOnLine(int at, int occupied, int length) {
  const int above = ((1 << length) - 1) & ~((2 << at) - 1);
  const int below = (1 << at) - 1;
  const int first_above = LowestOf(occupied & above);
  const int first_below = HighestOf(occupied & below);
  const int up = first_above == 0 ? above : above & (2 * first_above - 1);
  const int down = first_below == 0 ? below : below & ~(first_below - 1);
  return static_cast<std::uint16_t>(up | down);
}
constexpr std::uint16_t CannonOnLine(int at, int occupied, int length) {
  const int above = occupied & ((1 << length) - 1) & ~((2 << at) - 1);
  const int below = occupied & ((1 << at) - 1);
  return static_cast<std::uint16_t>(LowestOf(above & (above - 1)) |
                                    HighestOf(below & ~HighestOf(below)));
}

template <int kLength>
struct LineTable {
  static constexpr int kStates = 1 << kLength;
  std::array<std::array<std::uint16_t, kStates>, kLength> chariot{};
  std::array<std::array<std::uint16_t, kStates>, kLength> cannon{};

  constexpr LineTable() {
    for (int at = 0; at < kLength; ++at) {
      for (int occupied = 0; occupied < kStates; ++occupied) {
        chariot[at][occupied] = ChariotOnLine(at, occupied, kLength);
        cannon[at][occupied] = CannonOnLine(at, occupied, kLength);
      }
    }
  }
};
inline constexpr LineTable<kRanks> kFileLine{};
inline constexpr LineTable<kFiles> kRankLine{};

struct Tables {
  using BySquare = std::array<Bits, kSquareCount>;

  std::array<Bits, 1 << kFiles> spread{};  // a rank's 9 bits on rank 0 of the board
  BySquare lines{};                        // the square's file and rank, itself excluded
  // By which of the four neighbours (legs, eyes) are occupied: bit i for kOrthogonal/kDiagonal[i].
  std::array<std::array<Bits, 16>, kSquareCount> horse{};
  std::array<std::array<Bits, 16>, kSquareCount> elephant{};
  // For the horses that attack a square: by which of its four diagonal neighbours are occupied.
  std::array<std::array<Bits, 16>, kSquareCount> horse_to{};
  std::array<BySquare, 2> general{};     // inside the side's palace
  std::array<BySquare, 2> advisor{};     // inside the side's palace
  std::array<BySquare, 2> soldier{};     // what a soldier of the side attacks
  std::array<BySquare, 2> soldier_to{};  // where a soldier of the side attacks this square from
  std::array<Bits, 2> home{};            // the side's half of the board
  std::array<BySquare, kSquareCount> between{};  // exclusive, on files and ranks only

  constexpr Tables() {
    FillSpread();
    for (int s = 0; s < kSquareCount; ++s) {
      FillHorse(s);
      FillElephant(s);
      for (const Side side : {Side::kFirst, Side::kSecond}) FillSteps(side, s);
      FillLines(s);
    }
    for (int side = 0; side < 2; ++side) {
      for (int s = 0; s < kSquareCount; ++s) {
        for (int t = 0; t < kSquareCount; ++t) {
          if ((soldier[side][t] & BitOf(s)) != 0) soldier_to[side][s] |= BitOf(t);
        }
      }
    }
  }

 private:
  constexpr void FillSpread() {
    for (int bits = 0; bits < 1 << kFiles; ++bits) {
      for (int file = 0; file < kFiles; ++file) {
        if ((bits >> file & 1) != 0) spread[bits] |= BitAt(file, 0);
      }
    }
  }
  constexpr void FillHorse(int s) {
    for (int blocked = 0; blocked < 16; ++blocked) {
      for (int i = 0; i < 4; ++i) {
        if ((blocked >> i & 1) != 0) continue;
        const int f = FileOf(s);
        const int r = RankOf(s);
        const Step leg = kOrthogonal[i];
        for (const int aside : {-1, 1}) {
          const int df = leg.file != 0 ? 2 * leg.file : aside;
          const int dr = leg.rank != 0 ? 2 * leg.rank : aside;
          horse[s][blocked] |= BitAt(f + df, r + dr);
        }
        const Step corner = kDiagonal[i];
        horse_to[s][blocked] |= BitAt(f + 2 * corner.file, r + corner.rank) |
                                BitAt(f + corner.file, r + 2 * corner.rank);
      }
    }
  }
  constexpr void FillElephant(int s) {
    for (int blocked = 0; blocked < 16; ++blocked) {
      for (int i = 0; i < 4; ++i) {
        if ((blocked >> i & 1) != 0) continue;
        elephant[s][blocked] |=
            BitAt(FileOf(s) + 2 * kDiagonal[i].file, RankOf(s) + 2 * kDiagonal[i].rank);
      }
    }
  }
  constexpr void FillSteps(Side side, int s) {
    const int i = Index(side);
    const int f = FileOf(s);
    const int r = RankOf(s);
    if (!CrossedRiver(side, s)) home[i] |= BitOf(s);
    for (const Step step : kOrthogonal) {
      if (!Inside(f + step.file, r + step.rank)) continue;
      const int to = (f + step.file) * kRanks + r + step.rank;
      if (InPalace(side, to)) general[i][s] |= BitOf(to);
      const bool forward = step.rank == (side == Side::kFirst ? 1 : -1);
      if (forward || (step.rank == 0 && CrossedRiver(side, s))) soldier[i][s] |= BitOf(to);
    }
    for (const Step step : kDiagonal) {
      if (!Inside(f + step.file, r + step.rank)) continue;
      const int to = (f + step.file) * kRanks + r + step.rank;
      if (InPalace(side, to)) advisor[i][s] |= BitOf(to);
    }
  }
  constexpr void FillLines(int s) {
    for (const Step step : kOrthogonal) {
      int f = FileOf(s) + step.file;
      int r = RankOf(s) + step.rank;
      Bits passed{0};
      for (; Inside(f, r); f += step.file, r += step.rank) {
        between[s][f * kRanks + r] = passed;
        passed |= BitAt(f, r);
      }
      lines[s] |= passed;
    }
  }
};
inline constexpr Tables kTables{};

}  // namespace komadai::rules::xiangqi
