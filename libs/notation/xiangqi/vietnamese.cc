#include "libs/notation/xiangqi/vietnamese.h"

#include <optional>
#include <vector>

#include "libs/notation/errors.h"
#include "libs/notation/text.h"
#include "libs/notation/xiangqi/vietnamese_fold.h"
#include "libs/notation/xiangqi/xiangqi_moves.h"
#include "libs/rules/xiangqi/kinds.h"

namespace komadai::notation {
namespace {

namespace xiangqi = rules::xiangqi;
using rules::Kind;
using rules::Move;
using rules::Position;

// By the index of the kind and of the direction.
constexpr std::string_view kLetters[] = {"?", "Tg", "S", "Tg", "M", "X", "P", "T"};
constexpr std::string_view kNames[] = {"?", "tướng", "sĩ", "tượng", "mã", "xe", "pháo", "tốt"};
constexpr std::string_view kSigns = "./-";
constexpr std::string_view kDirections[] = {" tấn ", " thoái ", " bình "};

bool IsMiddleOfThree(const MoveParts& parts) { return parts.equals == 3 && parts.place == 1; }

std::string PlaceMark(const MoveParts& parts) {
  if (parts.place == 0) return "t";
  if (parts.place == parts.equals - 1) return "s";
  // With a column behind it the letter would make another piece: "Tg4" is a general.
  const bool lettered = IsMiddleOfThree(parts) && !parts.several_files;
  return lettered ? "g" : "(" + std::to_string(parts.place + 1) + ")";
}

std::string PlaceWords(const MoveParts& parts) {
  if (parts.place == 0) return " trước";
  if (parts.place == parts.equals - 1) return " sau";
  return IsMiddleOfThree(parts) ? " giữa" : " thứ " + std::to_string(parts.place + 1);
}

}  // namespace

std::string FormatVietnamese(const Position& position, Move move) {
  const MoveParts parts = PartsOf(position, move);
  std::string out(kLetters[static_cast<std::size_t>(Index(parts.kind))]);
  if (parts.in_tandem()) out += PlaceMark(parts);
  if (!parts.in_tandem() || parts.several_files) out += std::to_string(parts.column);
  out += kSigns[static_cast<std::size_t>(parts.direction)];
  return out + std::to_string(parts.number);
}

std::string FormatVietnameseLong(const Position& position, Move move) {
  const MoveParts parts = PartsOf(position, move);
  std::string out(kNames[static_cast<std::size_t>(Index(parts.kind))]);
  if (parts.in_tandem()) out += PlaceWords(parts);
  if (!parts.in_tandem() || parts.several_files) out += " " + std::to_string(parts.column);
  out += kDirections[static_cast<std::size_t>(parts.direction)];
  return out + std::to_string(parts.number);
}

namespace {

// 1 to 9, or 0 if `c` is no number.
int NumberOf(char c) { return c >= '1' && c <= '9' ? c - '0' : 0; }

char TakeChar(std::string_view& text) {
  if (text.empty()) return '\0';
  const char c = text.front();
  text.remove_prefix(1);
  return c;
}

// The letter of the piece. "tg" in front of a number is general or elephant, else the middle
// soldier.
bool ReadLetter(std::string_view& text, VietnameseLetters letters, SaidParts& said) {
  const bool federation = letters == VietnameseLetters::kFederation;
  if (text.size() > 2 && text.starts_with("tg") && NumberOf(text[2]) != 0) {
    text.remove_prefix(2);
    said.AddKind(xiangqi::kGeneral);
    if (!federation) said.AddKind(xiangqi::kElephant);
    return true;
  }
  switch (TakeChar(text)) {
    case 'p':
      said.AddKind(xiangqi::kCannon);
      return true;
    case 'm':
      said.AddKind(xiangqi::kHorse);
      return true;
    case 'x':
      said.AddKind(xiangqi::kChariot);
      return true;
    case 's':
      said.AddKind(xiangqi::kAdvisor);
      return true;
    case 'v':
      said.AddKind(xiangqi::kElephant);
      return true;
    case 'b':
    case 'c':
      said.AddKind(xiangqi::kSoldier);
      return true;
    case 't':
      said.AddKind(federation ? xiangqi::kElephant : xiangqi::kSoldier);
      return true;
    default:
      return false;
  }
}

bool ReadPlace(std::string_view& text, SaidParts& said) {
  if (text.starts_with('t')) {
    said.place = Place::kFront;
  } else if (text.starts_with('s')) {
    said.place = Place::kRear;
  } else if (text.starts_with('g')) {
    said.place = Place::kMiddle;
  } else if (text.starts_with('(')) {
    if (text.size() < 3 || text[2] != ')') return false;
    said.place = Place::kNumbered;
    said.place_number = NumberOf(text[1]);
    text.remove_prefix(3);
    return said.place_number != 0;
  } else {
    return true;
  }
  text.remove_prefix(1);
  return true;
}

}  // namespace

Result<Move> ParseVietnamese(const Position& position, std::string_view text,
                             VietnameseLetters letters) {
  text = Trim(text);
  const auto bad = [text] { return TextError(kInvalidMove, "not a Vietnamese move", text); };
  if (text.size() > kMaxQuotedBytes) return bad();
  const std::string folded = FoldVietnamese(text);
  std::string_view rest = folded;
  SaidParts said;
  if (!ReadLetter(rest, letters, said) || !ReadPlace(rest, said)) return bad();
  if (!rest.empty() && NumberOf(rest[0]) != 0) said.column = NumberOf(TakeChar(rest));
  const std::size_t direction = kSigns.find(TakeChar(rest));
  said.number = NumberOf(TakeChar(rest));
  const bool complete = said.column != 0 || said.place != Place::kNotSaid;
  if (direction == std::string_view::npos || said.number == 0 || !complete || !rest.empty()) {
    return bad();
  }
  said.direction = static_cast<Direction>(direction);
  return FindMove(position, said, text);
}

namespace {

struct Word {
  std::string_view folded;
  Kind kind;
};
constexpr Word kPieceWords[] = {
    {"tuong", xiangqi::kGeneral}, {"tuong", xiangqi::kElephant}, {"si", xiangqi::kAdvisor},
    {"ma", xiangqi::kHorse},      {"xe", xiangqi::kChariot},     {"phao", xiangqi::kCannon},
    {"tot", xiangqi::kSoldier},   {"chot", xiangqi::kSoldier},   {"binh", xiangqi::kSoldier},
};

bool ReadPieceWord(std::string_view word, SaidParts& said) {
  for (const Word& known : kPieceWords) {
    if (known.folded == word) said.AddKind(known.kind);
  }
  return said.kinds != 0;
}

int NumberWord(std::string_view word) { return word.size() == 1 ? NumberOf(word[0]) : 0; }

// Takes the words of the place, if there are any, off the front.
bool ReadPlaceWords(std::vector<std::string_view>& words, SaidParts& said) {
  if (words.empty()) return false;
  if (words[0] == "truoc") {
    said.place = Place::kFront;
  } else if (words[0] == "sau") {
    said.place = Place::kRear;
  } else if (words[0] == "giua") {
    said.place = Place::kMiddle;
  } else if (words[0] == "thu" && words.size() > 1) {
    said.place = Place::kNumbered;
    said.place_number = NumberWord(words[1]);
    words.erase(words.begin(), words.begin() + 2);
    return said.place_number != 0;
  } else {
    return true;
  }
  words.erase(words.begin());
  return true;
}

bool ReadDirectionWord(std::string_view word, SaidParts& said) {
  if (word == "tan" || word == "tien") {
    said.direction = Direction::kForward;
  } else if (word == "thoai" || word == "lui") {
    said.direction = Direction::kBack;
  } else if (word == "binh") {
    said.direction = Direction::kSideways;
  } else {
    return false;
  }
  return true;
}

}  // namespace

Result<Move> ParseVietnameseLong(const Position& position, std::string_view text) {
  text = Trim(text);
  const auto bad = [text] { return TextError(kInvalidMove, "not a Vietnamese move", text); };
  if (text.size() > kMaxQuotedBytes) return bad();
  const std::string folded = FoldVietnamese(text);
  std::vector<std::string_view> words = SplitBlanks(folded);
  SaidParts said;
  if (words.size() < 4 || !ReadPieceWord(words[0], said)) return bad();
  words.erase(words.begin());
  if (!ReadPlaceWords(words, said)) return bad();
  if (words.size() == 3) {
    said.column = NumberWord(words[0]);
    if (said.column == 0) return bad();
    words.erase(words.begin());
  }
  if (words.size() != 2 || !ReadDirectionWord(words[0], said)) return bad();
  said.number = NumberWord(words[1]);
  const bool complete = said.column != 0 || said.place != Place::kNotSaid;
  if (said.number == 0 || !complete) return bad();
  return FindMove(position, said, text);
}

}  // namespace komadai::notation
