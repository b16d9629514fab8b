#include "libs/notation/records/kif_board.h"

#include <algorithm>
#include <array>

#include "libs/notation/errors.h"
#include "libs/notation/records/record_file.h"
#include "libs/notation/records/record_text.h"
#include "libs/notation/shogi/japanese.h"
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
using rules::Setup;
using rules::Side;
using rules::Square;
using rules::Variant;

// Handicaps of KIF files and what uwate gives, as Kifu for Windows understands the names. The three
// pieces are read as other programs do: with uwate's left lance.
struct NamedHandicap {
  std::string_view name;
  std::string_view removed;
};
constexpr NamedHandicap kHandicaps[] = {
    {"平手", ""},
    {"香落ち", "1a"},
    {"右香落ち", "9a"},
    {"角落ち", "2b"},
    {"飛車落ち", "8b"},
    {"飛香落ち", "8b1a"},
    {"二枚落ち", "2b8b"},
    {"三枚落ち", "2b8b1a"},
    {"四枚落ち", "2b8b1a9a"},
    {"五枚落ち", "2b8b1a9a8a"},
    {"左五枚落ち", "2b8b1a9a2a"},
    {"六枚落ち", "2b8b1a9a2a8a"},
    {"左七枚落ち", "2b8b1a9a2a8a3a"},
    {"右七枚落ち", "2b8b1a9a2a8a7a"},
    {"八枚落ち", "2b8b1a9a2a8a3a7a"},
    {"十枚落ち", "2b8b1a9a2a8a3a7a4a6a"},
};
constexpr std::string_view kMinishogiNames[] = {"5五将棋", "５五将棋", "五々将棋", "5五",
                                                "minishogi"};

Position Without(std::string_view removed) {
  Setup setup = rules::StartPosition(Variant::kShogi).ToSetup();
  for (; removed.size() >= 2; removed.remove_prefix(2)) {
    setup.Put(Square(removed[0] - '1', removed[1] - 'a'), {});
    setup.side_to_move = Side::kSecond;
  }
  return *Position::From(setup);
}

std::string IdOf(const Position& start) {
  for (const rules::Handicap& handicap : rules::HandicapsOf(Variant::kShogi)) {
    const Result<Position> known = rules::StartPosition(Variant::kShogi, handicap.id);
    if (known && *known == start) return std::string(handicap.id);
  }
  return {};
}

Error Bad(std::string_view what, std::string_view text) {
  return TextError(kBadRecord, what, text);
}

}  // namespace

std::optional<KifHandicap> FindKifHandicap(std::string_view name) {
  if (std::ranges::count(kMinishogiNames, name) > 0) {
    return KifHandicap{Variant::kMinishogi, "", rules::StartPosition(Variant::kMinishogi)};
  }
  for (const NamedHandicap& known : kHandicaps) {
    if (known.name != name) continue;
    const Position start = Without(known.removed);
    std::string id = known.removed.empty() ? std::string() : IdOf(start);
    return KifHandicap{Variant::kShogi, std::move(id), start};
  }
  return std::nullopt;
}

std::string_view KifNameOf(Variant variant, std::string_view handicap_id) {
  const Result<Position> start = rules::StartPosition(variant, handicap_id);
  if (!start) return {};
  if (variant == Variant::kMinishogi) {
    return *start == rules::StartPosition(variant) ? kMinishogiNames[0] : std::string_view();
  }
  for (const NamedHandicap& known : kHandicaps) {
    if (Without(known.removed) == *start) return known.name;
  }
  return {};
}

Status KifBoard::AddEdge() {
  open_ = !open_ && rows_ == 0;
  return {};
}

namespace {

// One piece of a row; nothing for an empty square. Takes it off `text`.
Result<Piece> TakeCell(std::u32string_view& text) {
  Piece piece;
  bool marked = false;
  while (!text.empty() && (text[0] == U' ' || text[0] == U'v' || text[0] == U'V' ||
                           text[0] == U'^' || text[0] == U'　')) {
    if (text[0] == U'v' || text[0] == U'V') piece.side = Side::kSecond;
    marked = marked || text[0] != U' ';
    text.remove_prefix(1);
  }
  if (text.empty()) return Error(kBadRecord, "a row of the board ends too early");
  const char32_t c = text[0];
  text.remove_prefix(1);
  if (c == U'・' || c == U'.' || c == U'･' || c == U'*' || c == U'．') return Piece{};
  piece.kind = KindOfJapaneseName(c);
  if (piece.kind == Kind::kNone) return Bad("not a piece", EncodeUtf8({&c, 1}));
  return piece;
}

}  // namespace

Status KifBoard::AddRow(std::string_view line) {
  const std::size_t first = line.find('|');
  const std::size_t last = line.rfind('|');
  if (!open_ || first == last) return Bad("not a row of a board", line);
  const std::u32string cells = DecodeUtf8(line.substr(first + 1, last - first - 1));
  std::u32string_view rest = cells;
  std::vector<Piece> row;
  while (rest.find_first_not_of(U" 　") != std::u32string_view::npos) {
    const Result<Piece> piece = TakeCell(rest);
    if (!piece) return piece.error();
    row.push_back(*piece);
  }
  if (row.size() != 5 && row.size() != 9) {
    return Bad("a row has nine squares, or five in minishogi", line);
  }
  const Variant variant = row.size() == 5 ? Variant::kMinishogi : Variant::kShogi;
  if (rows_ == 0) setup_.variant = variant;
  if (variant != setup_.variant || rows_ >= rules::RankCount(variant)) {
    return Bad("a row of another board", line);
  }
  // The kanji behind a row, if there is one, numbers it.
  const std::u32string label = DecodeUtf8(TrimWide(line.substr(last + 1)));
  if (!label.empty() && RankOf(label[0]) >= 0 && RankOf(label[0]) != rows_) {
    return Bad("a row of the board is missing", line);
  }
  const int files = static_cast<int>(row.size());
  for (int column = 0; column < files; ++column) {
    setup_.Put(Square(files - 1 - column, rows_), row[static_cast<std::size_t>(column)]);
  }
  ++rows_;
  return {};
}

namespace {

// Kanji numbers of hands: nothing, 二, 十, 十八.
int TakeCount(std::u32string_view& text) {
  constexpr std::u32string_view kDigits = U"一二三四五六七八九";
  int count = 0;
  while (!text.empty()) {
    const std::size_t digit = kDigits.find(text[0]);
    if (text[0] == U'十') {
      count = count == 0 ? 10 : count * 10;
    } else if (digit != std::u32string_view::npos) {
      count += static_cast<int>(digit) + 1;
    } else if (FileOf(text[0]) >= 0) {
      count = count * 10 + FileOf(text[0]) + 1;
    } else {
      break;
    }
    if (count > 99) break;
    text.remove_prefix(1);
  }
  return count == 0 ? 1 : count;
}

}  // namespace

Status KifBoard::AddHand(Side side, std::string_view text) {
  text = TrimWide(text);
  if (text.empty() || text == "なし") return {};
  const std::u32string decoded = DecodeUtf8(text);
  std::u32string_view rest = decoded;
  while (!rest.empty()) {
    const char32_t c = rest[0];
    rest.remove_prefix(1);
    if (c == U' ' || c == U'　') continue;
    const Kind kind = KindOfJapaneseName(c);
    if (kind == Kind::kNone || kind == shogi::kKing || shogi::IsPromoted(kind)) {
      return Bad("not a piece in hand", text);
    }
    const int count = TakeCount(rest);
    if (count > 18) return Bad("too many pieces in hand", text);
    setup_.hands[static_cast<std::size_t>(side)][static_cast<std::size_t>(Index(kind))] =
        static_cast<std::uint8_t>(count);
  }
  return {};
}

Result<Position> KifBoard::Finish() const {
  if (open_ && rows_ < rules::RankCount(setup_.variant)) {
    return Error(kBadRecord, "the board is not complete");
  }
  if (rows_ != rules::RankCount(setup_.variant)) {
    return Error(kBadRecord, "rows of the board are missing");
  }
  return Position::From(setup_, rules::Kings::kOptional);
}

namespace {

std::u32string Count(int count) {
  std::u32string out;
  if (count >= 10) out += U'十';
  if (count % 10 != 0) out += KanjiDigit(count % 10);
  return out;
}

std::u32string Hand(const Position& position, Side side) {
  std::u32string out;
  for (const Kind kind : shogi::kHandKinds) {
    const int count = position.hand(side, kind);
    if (count == 0) continue;
    if (!out.empty()) out += U'　';
    out += JapaneseNameOf(kind);
    if (count > 1) out += Count(count);
  }
  return out.empty() ? U"なし" : out;
}

// Boards name promoted pieces by one character.
std::u32string_view CellName(Kind kind) {
  if (kind == shogi::kPromotedLance) return U"杏";
  if (kind == shogi::kPromotedKnight) return U"圭";
  if (kind == shogi::kPromotedSilver) return U"全";
  return JapaneseNameOf(kind);
}

}  // namespace

std::string FormatKifBoard(const Position& position) {
  const int files = rules::FileCount(position.variant());
  std::u32string out = U"後手の持駒：" + Hand(position, Side::kSecond) + U"\n ";
  for (int file = files; file >= 1; --file) out += U" " + std::u32string(FullWidthDigit(file));
  const std::u32string edge =
      U"+" + std::u32string(static_cast<std::size_t>(3 * files), U'-') + U"+\n";
  out += U"\n" + edge;
  for (int rank = 0; rank < rules::RankCount(position.variant()); ++rank) {
    out += U'|';
    for (int file = files - 1; file >= 0; --file) {
      const Piece piece = position.at(Square(file, rank));
      out += !piece.empty() && piece.side == Side::kSecond ? U'v' : U' ';
      out += piece.empty() ? U"・" : CellName(piece.kind);
    }
    out += U"|" + std::u32string(KanjiDigit(rank + 1)) + U"\n";
  }
  out += edge + U"先手の持駒：" + Hand(position, Side::kFirst) + U"\n";
  if (position.side_to_move() == Side::kSecond) out += U"後手番\n";
  return EncodeUtf8(out);
}

}  // namespace komadai::notation
