#include "libs/notation/records/csa_board.h"

#include <algorithm>
#include <vector>

#include "libs/notation/errors.h"
#include "libs/notation/records/record_file.h"
#include "libs/notation/shogi/csa_move.h"
#include "libs/notation/shogi/shogi_squares.h"
#include "libs/notation/text.h"
#include "libs/rules/handicap.h"
#include "libs/rules/shogi/kinds.h"

namespace komadai::notation {
namespace {

namespace shogi = rules::shogi;
using rules::Kind;
using rules::Piece;
using rules::Position;
using rules::Side;
using rules::Square;
using rules::Variant;

Error Bad(std::string_view what, std::string_view text) {
  return TextError(kBadRecord, what, text);
}

// Pieces of each kind in a set, by the index of the unpromoted kind.
int InASet(Variant variant, Kind kind) {
  constexpr int kShogi[] = {0, 18, 4, 4, 4, 2, 2, 4};
  constexpr int kMinishogi[] = {0, 2, 0, 0, 2, 2, 2, 2};
  const auto index = static_cast<std::size_t>(Index(kind));
  return variant == Variant::kMinishogi ? kMinishogi[index] : kShogi[index];
}

Square SquareOf(Variant variant, std::string_view digits) {
  return SquareFrom(variant, static_cast<char32_t>(digits[0]), static_cast<char32_t>(digits[1]));
}

// The cells of a row: "+FU", "-OU", or " * " in any of the ways mail and pages leave of it.
std::vector<std::string_view> Cells(std::string_view row) {
  std::vector<std::string_view> cells;
  while (!row.empty()) {
    std::size_t length = 1;
    if (row[0] == '+' || row[0] == '-') {
      length = std::min<std::size_t>(3, row.size());
      cells.push_back(row.substr(0, length));
    } else if (row[0] == '*' || row[0] == '.') {
      cells.push_back(row.substr(0, 1));
    } else if (row[0] != ' ') {
      return {};
    }
    row.remove_prefix(length);
  }
  return cells;
}

}  // namespace

CsaBoard::CsaBoard(Variant variant) : even_variant_(variant) { setup_.variant = variant; }

Status CsaBoard::AddLine(std::string_view line) {
  if (line.starts_with("PI")) return AddInitial(line.substr(2));
  if (line.size() > 1 && line[1] >= '1' && line[1] <= '9') return AddRow(line.substr(1));
  if (line.starts_with("P+")) return AddPieces(Side::kFirst, line.substr(2));
  if (line.starts_with("P-")) return AddPieces(Side::kSecond, line.substr(2));
  return Bad("not a position line", line);
}

Status CsaBoard::AddInitial(std::string_view removals) {
  removals = Trim(removals);
  if (has_position_) return Bad("a second position", removals);
  has_position_ = true;
  setup_ = rules::StartPosition(even_variant_).ToSetup();
  for (; removals.size() >= 4; removals.remove_prefix(4)) {
    const Square square = SquareOf(setup_.variant, removals);
    const Kind kind = KindOfCsaName(removals.substr(2, 2));
    if (!square.valid() || kind == Kind::kNone || setup_.at(square).kind != kind) {
      return Bad("no such piece to leave out", removals.substr(0, 4));
    }
    setup_.Put(square, {});
  }
  if (!removals.empty()) return Bad("not a piece to leave out", removals);
  return {};
}

Status CsaBoard::AddRow(std::string_view line) {
  const std::vector<std::string_view> cells = Cells(line.substr(1));
  const int files = static_cast<int>(cells.size());
  // The damage that mail does may cost a row its last blank cells, but never adds any.
  if (files != 5 && files != 9) return Bad("a row has nine squares, or five in minishogi", line);
  const Variant variant = files == 5 ? Variant::kMinishogi : Variant::kShogi;
  if (!has_rows_) {
    if (has_position_) return Bad("rows after another position", line);
    has_position_ = has_rows_ = true;
    setup_ = {};
    setup_.variant = variant;
  }
  const int rank = line[0] - '1';
  if (variant != setup_.variant || rank >= rules::RankCount(variant)) {
    return Bad("a row of another board", line);
  }
  for (int column = 0; column < files; ++column) {
    const std::string_view cell = cells[static_cast<std::size_t>(column)];
    if (cell.size() == 1 && cell[0] != '+' && cell[0] != '-') continue;
    const Kind kind = KindOfCsaName(cell.substr(1));
    if (kind == Kind::kNone) return Bad("not a piece", cell);
    setup_.Put(Square(files - 1 - column, rank),
               {kind, cell[0] == '+' ? Side::kFirst : Side::kSecond});
  }
  return {};
}

Status CsaBoard::AddPieces(Side side, std::string_view pieces) {
  pieces = Trim(pieces);
  has_position_ = true;
  for (; pieces.size() >= 4; pieces.remove_prefix(4)) {
    const std::string_view name = pieces.substr(2, 2);
    if (pieces.starts_with("00AL")) {
      AddRest(side);
      continue;
    }
    const Kind kind = KindOfCsaName(name);
    if (kind == Kind::kNone) return Bad("not a piece", pieces.substr(0, 4));
    if (!pieces.starts_with("00")) {
      const Square square = SquareOf(setup_.variant, pieces);
      if (!square.valid()) return Bad("not a square", pieces.substr(0, 4));
      setup_.Put(square, {kind, side});
      continue;
    }
    if (shogi::IsPromoted(kind) || kind == shogi::kKing) {
      return Bad("such a piece cannot be in hand", pieces.substr(0, 4));
    }
    auto& count =
        setup_.hands[static_cast<std::size_t>(side)][static_cast<std::size_t>(Index(kind))];
    if (count >= 18) return Bad("too many pieces in hand", pieces.substr(0, 4));
    ++count;
  }
  if (!pieces.empty()) return Bad("not a piece", pieces);
  return {};
}

void CsaBoard::AddRest(Side side) {
  for (const Kind kind : shogi::kHandKinds) {
    int used = setup_.hand(Side::kFirst, kind) + setup_.hand(Side::kSecond, kind);
    for (const Piece piece : setup_.board) {
      used += !piece.empty() && shogi::Unpromoted(piece.kind) == kind;
    }
    auto& count =
        setup_.hands[static_cast<std::size_t>(side)][static_cast<std::size_t>(Index(kind))];
    count = static_cast<std::uint8_t>(count + std::max(0, InASet(setup_.variant, kind) - used));
  }
}

Result<Position> CsaBoard::Finish(Side to_move) {
  if (!has_position_) setup_ = rules::StartPosition(even_variant_).ToSetup();
  setup_.side_to_move = to_move;
  return Position::From(setup_, rules::Kings::kOptional);
}

namespace {

void AppendHand(const Position& position, Side side, std::string& out) {
  std::string pieces;
  for (const Kind kind : shogi::kHandKinds) {
    for (int i = 0; i < position.hand(side, kind); ++i) {
      pieces += "00";
      pieces += CsaNameOf(kind);
    }
  }
  if (!pieces.empty()) out += (side == Side::kFirst ? "P+" : "P-") + pieces + "\n";
}

// "PI" and what to take away from it; empty if that does not give the position.
std::string AsRemovals(const Position& position) {
  const Position even = rules::StartPosition(position.variant());
  std::string out = "PI";
  for (int rank = 0; rank < rules::RankCount(position.variant()); ++rank) {
    for (int file = rules::FileCount(position.variant()) - 1; file >= 0; --file) {
      const Piece piece = position.at(Square(file, rank));
      const Piece wanted = even.at(Square(file, rank));
      if (piece == wanted) continue;
      if (!piece.empty()) return {};
      out += static_cast<char>('1' + file);
      out += static_cast<char>('1' + rank);
      out += CsaNameOf(wanted.kind);
    }
  }
  return out + "\n";
}

}  // namespace

std::string FormatCsaBoard(const Position& position) {
  // Only for nine columns: read alone, "PI" means the big board.
  std::string out = position.variant() == Variant::kShogi ? AsRemovals(position) : std::string();
  if (out.empty() || out.size() > 100) {
    out.clear();
    for (int rank = 0; rank < rules::RankCount(position.variant()); ++rank) {
      out += "P" + std::to_string(rank + 1);
      for (int file = rules::FileCount(position.variant()) - 1; file >= 0; --file) {
        const Piece piece = position.at(Square(file, rank));
        if (piece.empty()) {
          out += " * ";
        } else {
          out += piece.side == Side::kFirst ? '+' : '-';
          out += CsaNameOf(piece.kind);
        }
      }
      out += '\n';
    }
  }
  AppendHand(position, Side::kFirst, out);
  AppendHand(position, Side::kSecond, out);
  return out;
}

}  // namespace komadai::notation
