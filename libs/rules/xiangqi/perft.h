// Perft over a Board: moves are made on copies, the last ply is only counted.
#pragma once

#include "libs/rules/xiangqi/generate.h"

namespace komadai::rules::xiangqi {

inline std::uint64_t PerftTwoPlies(const Board& board) {
  PackedList moves;
  Generate(board, moves);
  std::uint64_t nodes = 0;
  for (int i = 0; i < moves.size; ++i) {
    Board next = board;
    PlayMove(next, OriginOf(moves.moves[i]), TargetOf(moves.moves[i]));
    nodes += static_cast<std::uint64_t>(CountMoves(next));
  }
  return nodes;
}

KOMADAI_FOR_MODERN_CPU inline std::uint64_t PerftTwoPliesModern(const Board& board) {
  return PerftTwoPlies(board);
}

inline std::uint64_t PerftFrom(const Board& board, int depth) {
  if (depth == 0) return 1;
  if (depth == 1) return static_cast<std::uint64_t>(CountMoves(board));
  if (depth == 2) return HasModernCpu() ? PerftTwoPliesModern(board) : PerftTwoPlies(board);
  PackedList moves;
  Generate(board, moves);
  std::uint64_t nodes = 0;
  for (int i = 0; i < moves.size; ++i) {
    Board next = board;
    PlayMove(next, OriginOf(moves.moves[i]), TargetOf(moves.moves[i]));
    nodes += PerftFrom(next, depth - 1);
  }
  return nodes;
}

}  // namespace komadai::rules::xiangqi
