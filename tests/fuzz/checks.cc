#include "tests/fuzz/checks.h"

#include <algorithm>
#include <bitset>

#include "libs/base/check.h"
#include "libs/notation/position_text.h"
#include "libs/notation/text.h"

namespace komadai::fuzz {
namespace {

using rules::Kings;
using rules::Move;
using rules::MoveList;
using rules::Position;
using rules::Square;

constexpr std::size_t kMaxMessageBytes = 300;
constexpr int kMovesTried = 16;

bool IsReason(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

bool SameMoves(const MoveList& a, const MoveList& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

// A number that tells any two moves apart.
std::size_t Number(Move move) {
  const auto cell = [](Square square) {
    return square.valid() ? static_cast<std::size_t>(square.file() << 4 | square.rank()) : 255U;
  };
  return (cell(move.from) << 8 | cell(move.to)) << 1 | (move.promotes ? 1U : 0U) |
         static_cast<std::size_t>(Index(move.dropped)) << 17;
}

// The moves of a list, which must all be different, for quick questions. One at a time.
class MoveSet {
 public:
  explicit MoveSet(const MoveList& moves) : moves_(moves) {
    for (const Move& move : moves_) {
      KOMADAI_CHECK(!Contains(move));
      bits_.set(Number(move));
    }
  }
  MoveSet(const MoveSet&) = delete;
  MoveSet& operator=(const MoveSet&) = delete;
  // Bit by bit: there are too many of them to clear.
  ~MoveSet() {
    for (const Move& move : moves_) bits_.reset(Number(move));
  }

  bool Contains(Move move) const { return bits_.test(Number(move)); }

 private:
  static inline std::bitset<1U << 21> bits_;
  const MoveList& moves_;
};

// Moves of all sorts, mostly nonsense: squares off the board, drops that also have an origin.
Move AnyMove(std::uint64_t bits) {
  const auto take = [&bits](unsigned count) {
    const auto value = static_cast<int>(bits & ((1U << count) - 1));
    bits >>= count;
    return value;
  };
  Move move;
  move.to = Square(take(4), take(4));
  if (take(3) > 0) move.from = Square(take(4), take(4));
  move.promotes = take(1) == 1;
  if (take(2) == 0) move.dropped = static_cast<rules::Kind>(take(4));
  return move;
}

void CheckSingleMoves(const Position& position, const MoveList& moves) {
  const MoveSet listed(moves);
  for (const Move& move : moves) KOMADAI_CHECK(!position.WhyIllegal(move));
  std::uint64_t bits = position.key();
  for (int i = 0; i < kMovesTried; ++i) {
    bits = bits * 6364136223846793005U + 1442695040888963407U;
    const Move move = AnyMove(bits >> 16);
    KOMADAI_CHECK(position.IsLegal(move) == listed.Contains(move));
  }
  // Near misses: what becomes of a legal move by turning one of its properties around.
  for (const Move& legal : moves) {
    Move move = legal;
    move.promotes = !move.promotes;
    KOMADAI_CHECK(position.IsLegal(move) == listed.Contains(move));
    std::swap(move.from, move.to);
    KOMADAI_CHECK(position.IsLegal(move) == listed.Contains(move));
  }
}

}  // namespace

void CheckCleanText(std::string_view text) {
  KOMADAI_CHECK(notation::IsValidUtf8(text));
  for (const char32_t c : notation::DecodeUtf8(text)) {
    KOMADAI_CHECK(c >= 0x20 && !(c >= 0x7F && c < 0xA0));
  }
}

void CheckRefusal(const Error& error) {
  KOMADAI_CHECK(IsReason(error.reason()));
  KOMADAI_CHECK(error.code() == Code::kInvalidArgument ||
                error.code() == Code::kFailedPrecondition || error.code() == Code::kOutOfRange ||
                error.code() == Code::kNotFound || error.code() == Code::kUnimplemented);
  KOMADAI_CHECK(!error.message().empty() && error.message().size() <= kMaxMessageBytes);
  CheckCleanText(error.message());
  for (const auto& [key, value] : error.metadata()) {
    CheckCleanText(key);
    CheckCleanText(value);
  }
}

void CheckSame(const Position& a, const Position& b) {
  KOMADAI_CHECK(a == b && b == a);
  KOMADAI_CHECK(a.key() == b.key());
  KOMADAI_CHECK(a.side_to_move() == b.side_to_move());
  KOMADAI_CHECK(a.quiet_plies() == b.quiet_plies());
  KOMADAI_CHECK(a.move_number() == b.move_number());
  KOMADAI_CHECK(a.InCheck() == b.InCheck());
  for (const rules::Side side : {rules::Side::kFirst, rules::Side::kSecond}) {
    KOMADAI_CHECK(a.king(side) == b.king(side));
  }
  MoveList of_a;
  MoveList of_b;
  a.LegalMoves(of_a);
  b.LegalMoves(of_b);
  KOMADAI_CHECK(SameMoves(of_a, of_b));
}

void CheckPosition(const Position& position) {
  MoveList moves;
  position.LegalMoves(moves);
  KOMADAI_CHECK(position.CountLegalMoves() == static_cast<int>(moves.size()));
  KOMADAI_CHECK(position.HasLegalMove() == !moves.empty());
  CheckSingleMoves(position, moves);

  const auto rebuilt = Position::From(position.ToSetup(), Kings::kOptional);
  KOMADAI_CHECK(rebuilt.has_value());
  CheckSame(*rebuilt, position);

  const std::string text = notation::FormatPosition(position);
  KOMADAI_CHECK(text.size() <= notation::kMaxPositionBytes);
  const auto read = notation::ParsePosition(position.variant(), text, Kings::kOptional);
  KOMADAI_CHECK(read.has_value());
  KOMADAI_CHECK(*read == position);
  KOMADAI_CHECK(notation::FormatPosition(*read) == text);
}

}  // namespace komadai::fuzz
