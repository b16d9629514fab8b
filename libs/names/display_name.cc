#include "libs/names/display_name.h"

#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

#include "libs/names/reserved_name.h"

namespace komadai {
namespace {

// A name is rejected before it is looked at closely if it is absurdly long.
constexpr std::size_t kRawBytesMax = 1024;
// Vietnamese needs two marks on one letter (ế as e + circumflex + acute).
constexpr int kMarksInARowMax = 2;

struct Range {
  char32_t first;
  char32_t last;
};

template <std::size_t kCount>
bool In(const Range (&ranges)[kCount], char32_t c) {
  for (const Range& range : ranges) {
    if (c >= range.first && c <= range.last) return true;
  }
  return false;
}

// White space and line separators (Unicode property White_Space).
constexpr Range kSpaces[] = {{0x09, 0x0D},     {0x20, 0x20},     {0x85, 0x85},     {0xA0, 0xA0},
                             {0x1680, 0x1680}, {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F},
                             {0x205F, 0x205F}, {0x3000, 0x3000}};
// Control, format, filler and private-use characters, noncharacters, tags and variation selectors.
constexpr Range kDropped[] = {
    {0x00, 0x08},       {0x0E, 0x1F},       {0x7F, 0x84},        {0x86, 0x9F},
    {0xAD, 0xAD},       {0x034F, 0x034F},   {0x0600, 0x0605},    {0x061C, 0x061C},
    {0x06DD, 0x06DD},   {0x070F, 0x070F},   {0x115F, 0x1160},    {0x17B4, 0x17B5},
    {0x180B, 0x180F},   {0x200B, 0x200F},   {0x202A, 0x202E},    {0x2060, 0x206F},
    {0x3164, 0x3164},   {0xE000, 0xF8FF},   {0xFE00, 0xFE0F},    {0xFEFF, 0xFEFF},
    {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFB},   {0xFFFE, 0xFFFF},    {0x1BCA0, 0x1BCA3},
    {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}, {0xF0000, 0x10FFFF},
};
constexpr Range kCombining[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x064B, 0x065F},
    {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF}, {0xFE20, 0xFE2F},
};

// Takes one well-formed UTF-8 character off the front of `text`; nullopt if there is none.
std::optional<char32_t> TakeCharacter(std::string_view& text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const int length = lead < 0x80   ? 1
                     : lead < 0xC2 ? 0
                     : lead < 0xE0 ? 2
                     : lead < 0xF0 ? 3
                     : lead < 0xF5 ? 4
                                   : 0;
  if (length == 0 || text.size() < static_cast<std::size_t>(length)) return std::nullopt;
  char32_t c = length == 1 ? lead : lead & (0x7F >> length);
  for (int i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[static_cast<std::size_t>(i)]);
    if ((byte & 0xC0) != 0x80) return std::nullopt;
    c = (c << 6) | (byte & 0x3F);
  }
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (c < kSmallest[length] || (c >= 0xD800 && c <= 0xDFFF) || c > 0x10FFFF) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(length));
  return c;
}

Error Refused(const char* why) {
  return Error(kInvalidName, std::string("the name ") + why, {{"field", "name"}});
}

// The cleaned name and how many characters it has, at most `limit`: the rest is left out.
struct Cleaned {
  std::string name;
  std::size_t characters = 0;
};

// nullopt if it is not UTF-8.
std::optional<Cleaned> Clean(std::string_view raw, std::size_t limit) {
  Cleaned cleaned;
  std::string& name = cleaned.name;
  std::size_t& characters = cleaned.characters;
  bool space_pending = false;
  int marks_in_a_row = 0;
  while (!raw.empty() && characters < limit) {
    const std::string_view before = raw;
    const std::optional<char32_t> c = TakeCharacter(raw);
    if (!c) return std::nullopt;
    if (In(kSpaces, *c)) {
      space_pending = !name.empty();
      continue;
    }
    if (In(kDropped, *c)) continue;
    marks_in_a_row = In(kCombining, *c) ? marks_in_a_row + 1 : 0;
    if (marks_in_a_row > kMarksInARowMax) continue;
    if (marks_in_a_row > 0 && (name.empty() || space_pending)) continue;  // nothing to mark
    if (space_pending) {
      if (characters + 1 >= limit) break;  // no space at the end
      name += ' ';
      ++characters;
      space_pending = false;
    }
    name.append(before.data(), before.size() - raw.size());
    ++characters;
  }
  return cleaned;
}

}  // namespace

Result<std::string> CleanName(std::string_view raw) {
  if (raw.size() > kRawBytesMax) return Refused("is too long");
  std::optional<Cleaned> cleaned = Clean(raw, kRawBytesMax);
  if (!cleaned) return Refused("is not UTF-8");
  if (cleaned->name.empty()) return Refused("has no visible character");
  if (cleaned->characters > kNameCharactersMax) return Refused("has more than 24 characters");
  if (MixesScripts(cleaned->name)) return Refused("mixes letters of different scripts");
  if (IsReservedName(cleaned->name)) {
    return Error(kNameReserved, "the name is reserved; choose another one", {{"field", "name"}});
  }
  return std::move(cleaned->name);
}

std::string NameFromElsewhere(std::string_view raw) {
  std::optional<Cleaned> cleaned = Clean(raw, kNameCharactersMax);
  if (!cleaned || cleaned->name.empty() || IsReservedName(cleaned->name)) return "Player";
  return std::move(cleaned->name);
}

std::string MadeUpName(Random& random) {
  return "Guest " + std::to_string(1000 + random.Below(9000));
}

}  // namespace komadai
