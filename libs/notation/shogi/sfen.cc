#include "libs/notation/shogi/sfen.h"

#include <optional>
#include <vector>

#include "libs/notation/errors.h"
#include "libs/notation/shogi/shogi_letters.h"
#include "libs/notation/text.h"

namespace komadai::notation {
namespace {

using rules::Kind;
using rules::Piece;
using rules::Setup;
using rules::Side;
using rules::Square;

// More of one kind in one hand is invalid in every game.
constexpr int kMaxInHand = 99;

Error Bad(std::string_view what, std::string_view text) {
  return TextError(kInvalidPosition, what, text);
}

Side SideOfCase(char letter) { return Upper(letter) == letter ? Side::kFirst : Side::kSecond; }

// One row, from the highest file down to file 1.
Status ParseRow(std::string_view row, int rank, Setup& setup) {
  int file = rules::FileCount(setup.variant) - 1;
  bool promoted = false;
  for (const char c : row) {
    if (c == '+' && !promoted) {
      promoted = true;
      continue;
    }
    if (!promoted && c >= '1' && c <= '9') {
      file -= c - '0';
      if (file < -1) return Bad("SFEN row too long", row);
      continue;
    }
    const Kind kind = ShogiKindOfLetter(c);
    if (kind == Kind::kNone) return Bad("not a piece in a SFEN row", row);
    if (promoted && !rules::shogi::CanPromote(kind)) return Bad("piece cannot be promoted", row);
    if (file < 0) return Bad("SFEN row too long", row);
    setup.Put(Square(file--, rank),
              Piece{promoted ? rules::shogi::Promoted(kind) : kind, SideOfCase(c)});
    promoted = false;
  }
  if (promoted) return Bad("'+' without a piece in a SFEN row", row);
  if (file != -1) return Bad("SFEN row too short", row);
  return {};
}

Status ParseBoard(std::string_view board, Setup& setup) {
  const int ranks = rules::RankCount(setup.variant);
  for (int rank = 0; rank < ranks; ++rank) {
    const std::size_t end = board.find('/');
    if ((end == std::string_view::npos) != (rank == ranks - 1)) {
      return Bad("wrong number of rows in a SFEN", board);
    }
    if (Status row = ParseRow(board.substr(0, end), rank, setup); !row) return row;
    board.remove_prefix(end == std::string_view::npos ? board.size() : end + 1);
  }
  return {};
}

Status ParseHands(std::string_view text, Setup& setup) {
  if (text == "-" || IsEmptyPocket(text)) return {};
  int count = 0;
  bool counted = false;
  for (const char c : text) {
    if (IsDigit(static_cast<unsigned char>(c))) {
      count = count * 10 + (c - '0');
      counted = true;
      if (count == 0 || count > kMaxInHand) return Bad("bad count in hand", text);
      continue;
    }
    const Kind kind = ShogiKindOfLetter(c);
    if (kind == Kind::kNone) return Bad("not a piece in hand", text);
    auto& in_hand =
        setup.hands[static_cast<std::size_t>(SideOfCase(c))][static_cast<std::size_t>(Index(kind))];
    const int total = in_hand + (counted ? count : 1);
    if (total > kMaxInHand) return Bad("too many pieces in hand", text);
    in_hand = static_cast<std::uint8_t>(total);
    count = 0;
    counted = false;
  }
  if (counted) return Bad("count without a piece in hand", text);
  return {};
}

}  // namespace

Result<Setup> ParseSfen(rules::Variant variant, std::string_view text) {
  std::vector<std::string_view> fields = SplitBlanks(text);
  if (!fields.empty() && fields[0] == "sfen") fields.erase(fields.begin());
  if (fields.size() == 1 && fields[0] == "startpos") {
    return ParseSfen(variant,
                     variant == rules::Variant::kMinishogi ? kMinishogiStart : kShogiStart);
  }
  if (fields.size() < 2 || fields.size() > 4) {
    return Bad("a SFEN has a board, a side, hands and a move number", text);
  }
  Setup setup;
  setup.variant = variant;
  if (Status board = ParseBoard(WithoutEmptyPocket(fields[0]), setup); !board) return board.error();
  if (fields[1] != "b" && fields[1] != "w") return Bad("side to move must be b or w", fields[1]);
  setup.side_to_move = fields[1] == "b" ? Side::kFirst : Side::kSecond;
  if (fields.size() > 2) {
    if (Status hands = ParseHands(fields[2], setup); !hands) return hands.error();
  }
  if (fields.size() > 3) {
    const std::optional<int> number = ParseCount(fields[3]);
    if (!number) return Bad("bad move number", fields[3]);
    setup.move_number = *number == 0 ? 1 : *number;  // several programs count from 0
  }
  return setup;
}

namespace {

void AppendRow(const Setup& setup, int rank, std::string& out) {
  int empty = 0;
  for (int file = rules::FileCount(setup.variant) - 1; file >= 0; --file) {
    const Piece piece = setup.at(Square(file, rank));
    if (piece.empty()) {
      ++empty;
      continue;
    }
    if (empty > 0) out += std::to_string(empty);
    empty = 0;
    if (rules::shogi::IsPromoted(piece.kind)) out += '+';
    const char letter = LetterOfShogiKind(piece.kind);
    out += piece.side == Side::kFirst ? letter : Lower(letter);
  }
  if (empty > 0) out += std::to_string(empty);
}

void AppendInHand(const Setup& setup, Side side, Kind kind, std::string& out) {
  const int count = setup.hand(side, kind);
  if (count == 0) return;
  if (count > 1) out += std::to_string(count);
  const char letter = LetterOfShogiKind(kind);
  out += side == Side::kFirst ? letter : Lower(letter);
}

void AppendHands(const Setup& setup, std::string& out) {
  const std::size_t before = out.size();
  for (const Side side : {Side::kFirst, Side::kSecond}) {
    for (const Kind kind : rules::shogi::kHandKinds) AppendInHand(setup, side, kind, out);
    // No possible position has a king in hand, but a text that was read must not lose it.
    AppendInHand(setup, side, rules::shogi::kKing, out);
  }
  if (out.size() == before) out += '-';
}

}  // namespace

std::string FormatSfen(const Setup& setup) {
  std::string out;
  const int ranks = rules::RankCount(setup.variant);
  for (int rank = 0; rank < ranks; ++rank) {
    if (rank > 0) out += '/';
    AppendRow(setup, rank, out);
  }
  out += setup.side_to_move == Side::kFirst ? " b " : " w ";
  AppendHands(setup, out);
  return out + " " + std::to_string(setup.move_number);
}

}  // namespace komadai::notation
