// Perft over a Board: moves are made on copies, the last ply is only counted.
#pragma once

#include "libs/rules/shogi/counting.h"
#include "libs/rules/shogi/play.h"

namespace komadai::rules::shogi {

template <class G, Side kUs>
inline std::uint64_t PerftTwoPlies(const Board<G>& board) {
  PackedList moves;
  Generate<G, kUs>(board, moves);
  std::uint64_t nodes = 0;
  for (int i = 0; i < moves.size; ++i) {
    Board<G> next = board;
    PlayMove<G, kUs, KeepKey::kNo>(next, moves.moves[i]);
    nodes += static_cast<std::uint64_t>(CountMoves<G, Opponent(kUs)>(next));
  }
  return nodes;
}

template <class G, Side kUs>
KOMADAI_FOR_MODERN_CPU std::uint64_t PerftTwoPliesModern(const Board<G>& board) {
  return PerftTwoPlies<G, kUs>(board);
}

template <class G, Side kUs>
std::uint64_t PerftFrom(const Board<G>& board, int depth) {
  if (depth == 0) return 1;
  if (depth == 1) return static_cast<std::uint64_t>(CountMoves<G, kUs>(board));
  if (depth == 2) {
    return HasModernCpu() ? PerftTwoPliesModern<G, kUs>(board) : PerftTwoPlies<G, kUs>(board);
  }
  PackedList moves;
  Generate<G, kUs>(board, moves);
  std::uint64_t nodes = 0;
  for (int i = 0; i < moves.size; ++i) {
    Board<G> next = board;
    PlayMove<G, kUs, KeepKey::kNo>(next, moves.moves[i]);
    nodes += PerftFrom<G, Opponent(kUs)>(next, depth - 1);
  }
  return nodes;
}

}  // namespace komadai::rules::shogi
