#include "libs/notation/xiangqi/xiangqi_moves.h"

#include <cstdlib>
#include <optional>
#include <vector>

#include "libs/notation/errors.h"
#include "libs/rules/illegal.h"
#include "libs/rules/setup.h"
#include "libs/rules/xiangqi/kinds.h"

namespace komadai::notation {
namespace {

namespace xiangqi = rules::xiangqi;
using rules::Kind;
using rules::Move;
using rules::Piece;
using rules::Position;
using rules::Side;
using rules::Square;

constexpr int kFiles = 9;
constexpr int kRanks = 10;
constexpr rules::Variant kVariant = rules::Variant::kXiangqi;

// Files run from Red's left: Red counts columns against them. The same sum undoes it.
int ColumnOf(Side side, int file) { return side == Side::kFirst ? kFiles - file : file + 1; }
int FileOfColumn(Side side, int column) {
  return side == Side::kFirst ? kFiles - column : column - 1;
}
int ForwardStep(Side side) { return side == Side::kFirst ? 1 : -1; }

bool GoesDiagonally(Kind kind) {
  return kind == xiangqi::kHorse || kind == xiangqi::kElephant || kind == xiangqi::kAdvisor;
}

// The place of the piece on `from` among the equal ones on its file, and their number.
struct Standing {
  int place = 0;
  int equals = 0;
};
Standing StandingOf(const Position& position, Square from) {
  const Piece piece = position.at(from);
  Standing standing;
  for (int rank = 0; rank < kRanks; ++rank) {
    if (position.at(Square(from.file(), rank)) != piece) continue;
    ++standing.equals;
    if ((rank - from.rank()) * ForwardStep(piece.side) > 0) ++standing.place;
  }
  return standing;
}

// The number of a soldier among all on files with several: the files from the mover's right, each
// from front to rear, from 1.
int NumberOverFiles(const Position& position, Square from) {
  const Piece piece = position.at(from);
  int before = 0;
  for (int column = 1; column < ColumnOf(piece.side, from.file()); ++column) {
    const int file = FileOfColumn(piece.side, column);
    int found = 0;
    for (int rank = 0; rank < kRanks; ++rank) found += position.at(Square(file, rank)) == piece;
    if (found > 1) before += found;
  }
  return before + StandingOf(position, from).place + 1;
}

int FilesWithSeveral(const Position& position, Piece piece) {
  int files = 0;
  for (int file = 0; file < kFiles; ++file) {
    int found = 0;
    for (int rank = 0; rank < kRanks; ++rank) found += position.at(Square(file, rank)) == piece;
    files += found > 1;
  }
  return files;
}

}  // namespace

bool MoveParts::in_tandem() const {
  return equals > 1 && kind != xiangqi::kAdvisor && kind != xiangqi::kElephant;
}

MoveParts PartsOf(const Position& position, Move move) {
  const Piece piece = position.at(move.from);
  const Standing standing = StandingOf(position, move.from);
  MoveParts parts;
  parts.kind = piece.kind;
  parts.column = ColumnOf(piece.side, move.from.file());
  parts.place = standing.place;
  parts.equals = standing.equals;
  parts.several_files = piece.kind == xiangqi::kSoldier && standing.equals > 1 &&
                        FilesWithSeveral(position, piece) > 1;
  const int forward = (move.to.rank() - move.from.rank()) * ForwardStep(piece.side);
  parts.direction = forward == 0  ? Direction::kSideways
                    : forward > 0 ? Direction::kForward
                                  : Direction::kBack;
  parts.number = forward == 0 || GoesDiagonally(piece.kind) ? ColumnOf(piece.side, move.to.file())
                                                            : std::abs(forward);
  return parts;
}

namespace {

// Where the piece on `from` ends up; not valid() if the words make no sense for it.
Square TargetOf(const Position& position, Square from, const SaidParts& said) {
  const Piece piece = position.at(from);
  const int step =
      said.direction == Direction::kBack ? -ForwardStep(piece.side) : ForwardStep(piece.side);
  const int target_file = FileOfColumn(piece.side, said.number);
  // A square holds its rank in four bits: what lies beyond the board must not become a square.
  const auto target = [](int file, int rank) {
    const bool on_board = file >= 0 && file < kFiles && rank >= 0 && rank < kRanks;
    return on_board ? Square(file, rank) : Square();
  };
  if (GoesDiagonally(piece.kind)) {
    const int across = std::abs(target_file - from.file());
    const int along = piece.kind == xiangqi::kHorse      ? 3 - across
                      : piece.kind == xiangqi::kElephant ? 2
                                                         : 1;
    const bool fits = piece.kind == xiangqi::kHorse ? across == 1 || across == 2 : across == along;
    if (!fits || said.direction == Direction::kSideways) return {};
    return target(target_file, from.rank() + step * along);
  }
  if (said.direction == Direction::kSideways) return target(target_file, from.rank());
  return target(from.file(), from.rank() + step * said.number);
}

bool PlaceFits(const Position& position, Square from, const SaidParts& said) {
  if (said.place == Place::kNotSaid) return true;
  const Standing standing = StandingOf(position, from);
  if (standing.equals < 2) return false;
  switch (said.place) {
    case Place::kFront:
      return standing.place == 0;
    case Place::kRear:
      return standing.place == standing.equals - 1;
    case Place::kMiddle:
      return standing.equals == 3 && standing.place == 1;
    default:
      if (said.column == 0 && position.at(from).kind == xiangqi::kSoldier) {
        return NumberOverFiles(position, from) == said.place_number;
      }
      return standing.place == said.place_number - 1;
  }
}

// Every move, legal or not, that the text could mean.
std::vector<Move> Meanings(const Position& position, const SaidParts& said) {
  const Side side = position.side_to_move();
  std::vector<Move> moves;
  for (int file = 0; file < kFiles; ++file) {
    if (said.column != 0 && FileOfColumn(side, said.column) != file) continue;
    for (int rank = 0; rank < kRanks; ++rank) {
      const Square from(file, rank);
      const Piece piece = position.at(from);
      if (piece.empty() || piece.side != side) continue;
      if ((said.kinds >> Index(piece.kind) & 1U) == 0 || !PlaceFits(position, from, said)) continue;
      const Square to = TargetOf(position, from, said);
      if (to.valid()) moves.push_back(Move::Board(from, to));
    }
  }
  return moves;
}

}  // namespace

Result<Move> FindMove(const Position& position, const SaidParts& said, std::string_view text) {
  std::optional<Move> found;
  std::optional<rules::Illegal> why;
  for (const Move move : Meanings(position, said)) {
    const std::optional<rules::Illegal> illegal = position.WhyIllegal(move);
    if (illegal) {
      why = illegal;
      continue;
    }
    if (found) return TextError(kAmbiguousMove, "several pieces can make this move", text);
    found = move;
  }
  if (found) return *found;
  if (why) return TextError(rules::ReasonOf(*why), rules::Explain(*why), text);
  return TextError(kInvalidMove, "no such piece can make this move", text);
}

}  // namespace komadai::notation
