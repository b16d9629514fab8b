#include "libs/rules/xiangqi/setup_check.h"

#include "libs/rules/xiangqi/attacks.h"
#include "libs/rules/xiangqi/legality.h"

namespace komadai::rules::xiangqi {
namespace {

// The five points an advisor can reach, and the seven of an elephant, from the own back rank.
bool AdvisorPoint(int file, int rank) {
  return (rank == 1 && file == 4) || ((rank == 0 || rank == 2) && (file == 3 || file == 5));
}
bool ElephantPoint(int file, int rank) {
  return ((rank == 0 || rank == 4) && (file == 2 || file == 6)) ||
         (rank == 2 && (file == 0 || file == 4 || file == 8));
}
// Before the river a soldier is still on its own file, on one of two points. Two of a side on the
// same such file are let pass: no game leads there, but composed positions use it.
bool SoldierPoint(int file, int rank) {
  return rank >= 5 || ((rank == 3 || rank == 4) && file % 2 == 0);
}

std::optional<SetupFault> WhyNotThere(const Piece& piece, int file, int board_rank) {
  const int rank = RankFor(piece.side, board_rank);
  switch (piece.kind) {
    case kGeneral:
      if (file < 3 || file > 5 || rank > 2) return SetupFault::kOutsidePalace;
      break;
    case kAdvisor:
      if (!AdvisorPoint(file, rank)) return SetupFault::kOutsidePalace;
      break;
    case kElephant:
      if (!ElephantPoint(file, rank)) return SetupFault::kElephantMisplaced;
      break;
    case kSoldier:
      if (!SoldierPoint(file, rank)) return SetupFault::kSoldierMisplaced;
      break;
    default:
      break;
  }
  return std::nullopt;
}

std::optional<SetupFault> PlacePieces(const Setup& setup, Board& board) {
  for (int s = 0; s < kSquareCount; ++s) {
    const Piece piece = setup.at(SquareOf(s));
    if (piece.empty()) continue;
    if (piece.kind > kSoldier) return SetupFault::kUnknownPiece;
    if (const auto fault = WhyNotThere(piece, FileOf(s), RankOf(s))) return fault;
    const int count = PopCount(board.pieces(piece.side, piece.kind));
    if (count >= kSet[Index(piece.kind)]) {
      return piece.kind == kGeneral ? SetupFault::kTwoKings : SetupFault::kTooManyPieces;
    }
    if (piece.kind == kGeneral) board.king[Index(piece.side)] = static_cast<std::int8_t>(s);
    const std::uint8_t cell = Cell(piece.side, piece.kind);
    board.squares[s] = cell;
    Toggle(board, cell, s);
    board.key ^= kKeys.piece[cell][s];
  }
  return std::nullopt;
}

}  // namespace

std::optional<SetupFault> BuildBoard(const Setup& setup, Kings kings, Board& board) {
  board = {};
  board.king[0] = board.king[1] = kNoSquare;
  board.side_to_move = setup.side_to_move;
  if (setup.side_to_move == Side::kSecond) board.key = kKeys.side;
  for (const auto& hand : setup.hands) {
    for (const std::uint8_t held : hand) {
      if (held != 0) return SetupFault::kHandNotAllowed;
    }
  }
  if (const auto fault = PlacePieces(setup, board)) return fault;
  if (kings == Kings::kBoth && (board.king[0] == kNoSquare || board.king[1] == kNoSquare)) {
    return SetupFault::kMissingKing;
  }
  if (GeneralsFacing(board)) return SetupFault::kGeneralsFacing;
  if (CheckersOf(board, Opponent(setup.side_to_move)) != 0) return SetupFault::kOpponentInCheck;
  return std::nullopt;
}

}  // namespace komadai::rules::xiangqi
