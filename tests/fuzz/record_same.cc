#include "tests/fuzz/record_same.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libs/base/check.h"
#include "libs/notation/text.h"
#include "tests/fuzz/checks.h"

namespace komadai::fuzz {
namespace {

using notation::GameRecord;
using notation::RecordedMove;
using notation::RecordFormat;
using notation::Variation;
using Used = std::optional<std::chrono::milliseconds>;

// What a format promises to keep besides start, moves and their order.
struct Promises {
  bool names = false;
  bool times = false;  // whole seconds
  bool comments = false;
  bool variations = false;
};

Promises PromisesOf(RecordFormat format) {
  switch (format) {
    case RecordFormat::kCsa:
      return {.names = true, .times = true, .comments = true};
    case RecordFormat::kKif:
      return {.names = true, .times = true, .comments = true, .variations = true};
    case RecordFormat::kKi2:
      return {.names = true, .comments = true, .variations = true};
    case RecordFormat::kPgn:
      return {.names = true, .comments = true, .variations = true};
    default:
      return {};
  }
}

// Without blanks and line ends, which formats may move, and without the characters that PGN has to
// replace inside a comment or a tag.
std::u32string Essence(std::string_view text) {
  std::u32string out;
  for (const char32_t c : notation::DecodeUtf8(text)) {
    if (c <= U' ' || c == U'　') continue;
    out += c == U'}' ? U')' : c == U'"' ? U'\'' : c;
  }
  return out;
}

Used WholeSeconds(Used used) {
  if (!used) return used;
  return std::chrono::duration_cast<std::chrono::seconds>(*used);
}

void CheckMoves(const std::vector<RecordedMove>& a, const std::vector<RecordedMove>& b,
                const Promises& promises) {
  KOMADAI_CHECK(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    KOMADAI_CHECK(a[i].move == b[i].move);
    if (promises.times) KOMADAI_CHECK(WholeSeconds(a[i].used) == b[i].used);
    if (promises.comments) KOMADAI_CHECK(Essence(a[i].comment) == Essence(b[i].comment));
  }
}

// Branches of one line may come back in another order: those of later plies are written first.
const Variation* FindVariation(const std::vector<Variation>& all, const Variation& wanted,
                               std::size_t earlier_twins) {
  for (const Variation& candidate : all) {
    if (candidate.from_ply != wanted.from_ply) continue;
    if (earlier_twins-- == 0) return &candidate;
  }
  return nullptr;
}

void CheckVariations(const std::vector<Variation>& a, const std::vector<Variation>& b,
                     const Promises& promises) {
  KOMADAI_CHECK(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t earlier_twins = 0;
    for (std::size_t j = 0; j < i; ++j) earlier_twins += a[j].from_ply == a[i].from_ply ? 1 : 0;
    const Variation* const same = FindVariation(b, a[i], earlier_twins);
    KOMADAI_CHECK(same != nullptr);
    CheckMoves(a[i].moves, same->moves, promises);
    CheckVariations(a[i].variations, same->variations, promises);
  }
}

// Comments are lines of clean text.
void CheckComment(std::string_view comment) {
  KOMADAI_CHECK(comment.size() <= notation::kMaxCommentBytes);
  while (!comment.empty()) {
    const std::size_t end = comment.find('\n');
    CheckCleanText(comment.substr(0, end));
    comment.remove_prefix(end == std::string_view::npos ? comment.size() : end + 1);
  }
}

void CheckHeader(std::string_view text) {
  KOMADAI_CHECK(text.size() <= notation::kMaxHeaderBytes);
  CheckCleanText(text);
}

void CheckTextsOf(const std::vector<RecordedMove>& moves,
                  const std::vector<Variation>& variations) {
  for (const RecordedMove& move : moves) {
    CheckComment(move.comment);
    KOMADAI_CHECK(!move.used || *move.used >= std::chrono::milliseconds(0));
  }
  for (const Variation& variation : variations) {
    KOMADAI_CHECK(!variation.moves.empty());
    CheckTextsOf(variation.moves, variation.variations);
  }
}

}  // namespace

void CheckSameGame(const GameRecord& game, const notation::WrittenRecord& written,
                   RecordFormat format, const GameRecord& again) {
  const Promises promises = PromisesOf(format);
  KOMADAI_CHECK(again.start == game.start);
  CheckMoves(game.moves, again.moves, promises);
  if (promises.variations) CheckVariations(game.variations, again.variations, promises);
  if (promises.comments) KOMADAI_CHECK(Essence(game.comment) == Essence(again.comment));
  if (promises.names) {
    KOMADAI_CHECK(Essence(game.first_name) == Essence(again.first_name));
    KOMADAI_CHECK(Essence(game.second_name) == Essence(again.second_name));
  }
  // A format without words for an ending says so.
  const bool nothing_lost = written.warnings.empty();
  if (nothing_lost) {
    KOMADAI_CHECK(again.result.outcome == game.result.outcome);
    KOMADAI_CHECK(again.result.ending == game.result.ending);
  }
}

void CheckTexts(const GameRecord& game) {
  CheckHeader(game.first_name);
  CheckHeader(game.second_name);
  CheckHeader(game.result.word);
  CheckComment(game.comment);
  KOMADAI_CHECK(game.headers.size() <= notation::kMaxHeaders);
  for (const auto& [key, value] : game.headers) {
    KOMADAI_CHECK(!key.empty());
    CheckHeader(key);
    CheckHeader(value);
  }
  CheckTextsOf(game.moves, game.variations);
}

}  // namespace komadai::fuzz
