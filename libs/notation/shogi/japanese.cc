#include "libs/notation/shogi/japanese.h"

#include <algorithm>
#include <array>
#include <vector>

#include "libs/notation/errors.h"
#include "libs/notation/shogi/japanese_words.h"
#include "libs/notation/shogi/shogi_moves.h"
#include "libs/notation/shogi/shogi_squares.h"
#include "libs/notation/text.h"
#include "libs/rules/shogi/kinds.h"

namespace komadai::notation {
namespace {

namespace shogi = rules::shogi;
using rules::Kind;
using rules::Move;
using rules::Position;
using rules::Side;
using rules::Square;

// By the index of the kind.
constexpr std::array<std::u32string_view, 15> kNames = {U"",     U"歩",   U"香",   U"桂", U"銀",
                                                        U"角",   U"飛",   U"金",   U"玉", U"と",
                                                        U"成香", U"成桂", U"成銀", U"馬", U"龍"};

}  // namespace

Kind KindOfJapaneseName(char32_t name) {
  constexpr std::u32string_view kCharacters = U"歩香桂銀角飛金玉と王杏圭全馬龍竜ト";
  constexpr std::array<Kind, 17> kKinds = {
      shogi::kPawn,           shogi::kLance, shogi::kKnight,        shogi::kSilver,
      shogi::kBishop,         shogi::kRook,  shogi::kGold,          shogi::kKing,
      shogi::kTokin,          shogi::kKing,  shogi::kPromotedLance, shogi::kPromotedKnight,
      shogi::kPromotedSilver, shogi::kHorse, shogi::kDragon,        shogi::kDragon,
      shogi::kTokin};
  const std::size_t found = kCharacters.find(name);
  return found < kKinds.size() ? kKinds[found] : Kind::kNone;
}

std::u32string_view JapaneseNameOf(Kind kind) {
  const auto index = static_cast<std::size_t>(Index(kind));
  return index < kNames.size() ? kNames[index] : std::u32string_view();
}

std::string FormatJapanese(const Position& position, Move move, std::optional<Square> previous) {
  std::u32string out(position.side_to_move() == Side::kFirst ? U"▲" : U"△");
  out += TargetWord(move.to, previous);
  out += JapaneseNameOf(MovedKind(position, move));
  const Words words = WordsFor(position, move);
  if (words.flank != Flank::kNone) out += static_cast<char32_t>(words.flank);
  if (words.motion != Motion::kNone) out += static_cast<char32_t>(words.motion);
  if (words.drop) out += U'打';
  if (move.promotes) {
    out += U'成';
  } else if (!move.is_drop() && position.CanPromote(move.from, move.to)) {
    out += U"不成";
  }
  return EncodeUtf8(out);
}

namespace {

struct Said {
  SaidMove move;
  Words words;
};

// Reads the text from the front; every step says whether it succeeded.
class Reader {
 public:
  Reader(const Position& position, std::optional<Square> previous, std::u32string_view text)
      : position_(position), previous_(previous), text_(text) {}

  // What is wrong; empty if nothing is.
  std::string_view Read(Said& said) {
    if (const std::string_view wrong = ReadSide(); !wrong.empty()) return wrong;
    if (!ReadTarget(said)) return "target is not a square of the board";
    if (!ReadKind(said)) return "unknown piece";
    while (!text_.empty()) {
      if (!ReadWord(said)) return "not a Japanese move";
    }
    return {};
  }

 private:
  void SkipBlanks() {
    while (!text_.empty() && (text_[0] == U' ' || text_[0] == U'　' || text_[0] == U'\t')) {
      text_.remove_prefix(1);
    }
  }
  bool Take(std::u32string_view wanted) {
    if (!text_.starts_with(wanted)) return false;
    text_.remove_prefix(wanted.size());
    return true;
  }

  std::string_view ReadSide() {
    SkipBlanks();
    if (text_.empty()) return "empty";
    const bool first = std::u32string_view(U"▲☗").find(text_[0]) != std::u32string_view::npos;
    const bool second = std::u32string_view(U"△☖▽▼").find(text_[0]) != std::u32string_view::npos;
    if (!first && !second) return {};
    text_.remove_prefix(1);
    SkipBlanks();
    return first == (position_.side_to_move() == Side::kFirst) ? std::string_view()
                                                               : "this side is not to move";
  }

  bool ReadTarget(Said& said) {
    if (Take(U"同")) {
      SkipBlanks();
      said.move.to = previous_.value_or(Square());
    } else if (text_.size() >= 2) {
      said.move.to = SquareFrom(position_.variant(), text_[0], text_[1]);
      text_.remove_prefix(2);
      SkipBlanks();
    }
    return said.move.to.valid();
  }

  bool ReadKind(Said& said) {
    const bool promoted = Take(U"成");
    if (text_.empty()) return false;
    Kind kind = KindOfJapaneseName(text_[0]);
    if (promoted && !shogi::CanPromote(kind)) return false;
    if (promoted) kind = shogi::Promoted(kind);
    said.move.kind = kind;
    text_.remove_prefix(1);
    return kind != Kind::kNone;
  }

  bool ReadWord(Said& said) {
    SkipBlanks();
    if (text_.empty() || Take(U"不成") || Take(U"成らず") || Take(U"ならず") || Take(U"不")) {
      return true;
    }
    if (Take(U"成")) return said.move.promotes = true;
    if (Take(U"打")) return said.words.drop = said.move.drop = true;
    if (Take(U"右")) return SetFlank(said, Flank::kRight);
    if (Take(U"左")) return SetFlank(said, Flank::kLeft);
    if (Take(U"直")) return SetFlank(said, Flank::kStraight);
    if (Take(U"上") || Take(U"行") || Take(U"入")) return SetMotion(said, Motion::kUp);
    if (Take(U"寄")) return SetMotion(said, Motion::kSideways);
    if (Take(U"引") || Take(U"退")) return SetMotion(said, Motion::kBack);
    return ReadOrigin(said);
  }

  static bool SetFlank(Said& said, Flank flank) {
    const bool first = said.words.flank == Flank::kNone;
    said.words.flank = flank;
    return first;
  }
  static bool SetMotion(Said& said, Motion motion) {
    const bool first = said.words.motion == Motion::kNone;
    said.words.motion = motion;
    return first;
  }

  // "(77)"; "(00)" behind a drop says nothing.
  bool ReadOrigin(Said& said) {
    if (!Take(U"(") && !Take(U"（")) return false;
    if (text_.size() < 3) return false;
    const Square from = SquareFrom(position_.variant(), text_[0], text_[1]);
    if (!from.valid() && !(said.move.drop && text_.starts_with(U"00"))) return false;
    if (said.move.drop && from.valid()) return false;
    said.move.from = from;
    text_.remove_prefix(2);
    return Take(U")") || Take(U"）");
  }

  const Position& position_;
  std::optional<Square> previous_;
  std::u32string_view text_;
};

// The one move of `legal` the words mean: written exactly so, else the only one they hold for.
std::optional<Move> Choose(const Position& position, const Words& words,
                           const std::vector<Move>& legal) {
  for (const Move move : legal) {
    if (WordsFor(position, move) == words) return move;
  }
  std::optional<Move> chosen;
  for (const Move move : legal) {
    if (!Holds(words, position, move)) continue;
    if (chosen) return std::nullopt;
    chosen = move;
  }
  return chosen;
}

}  // namespace

Result<Move> ParseJapanese(const Position& position, std::string_view text,
                           std::optional<Square> previous) {
  text = Trim(text);
  if (text.size() > kMaxQuotedBytes)
    return TextError(kInvalidMove, "the move text is too long", text);
  const std::u32string decoded = DecodeUtf8(text);
  Said said;
  const std::string_view wrong = Reader(position, previous, decoded).Read(said);
  if (!wrong.empty()) return TextError(kInvalidMove, wrong, text);

  std::vector<Move> legal = LegalMatches(position, said.move);
  if (legal.empty()) return WhyNoMatch(position, said.move, text);
  if (said.move.from.valid()) return legal[0];
  if (const std::optional<Move> chosen = Choose(position, said.words, legal)) return *chosen;
  if (legal.size() == 1) return legal[0];  // nothing else can be meant: the words are mistaken
  const bool none =
      std::ranges::none_of(legal, [&](Move move) { return Holds(said.words, position, move); });
  if (none) return TextError(kInvalidMove, "no piece can make that move as written", text);
  return TextError(kAmbiguousMove, "several pieces can make this move", text);
}

}  // namespace komadai::notation
