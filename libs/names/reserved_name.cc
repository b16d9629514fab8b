#include "libs/names/reserved_name.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uspoof.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "libs/base/check.h"

namespace komadai {
namespace {

using icu::UnicodeString;

// A name with one of these as a word is reserved, and so is one that is nothing but one of these
// when all that is not a letter is left out.
constexpr const char* kReservedWords[] = {
    "admin", "admins", "administrator", "administrators", "moderator", "moderators", "mod", "mods",
    "system", "root", "sysop", "operator", "support", "staff", "official", "komadai", "komadaibot",
    "server", "computer", "engine", "fairystockfish", "stockfish", "anonymous", "arbiter",
    "referee",
    // Japanese
    "管理者", "管理人", "運営", "運営者", "公式", "審判", "コンピュータ", "コンピューター", "駒台",
    // Chinese, simplified and traditional
    "管理员", "管理員", "版主", "官方", "系统", "系統", "客服", "裁判", "电脑", "電腦",
    // Korean
    "관리자", "운영자", "운영진", "심판", "컴퓨터",
    // Vietnamese
    "quảntrị", "quảntrịviên", "hệthống", "trọngtài", "máytính",
    // Russian
    "админ", "администратор", "модератор", "компьютер"};

struct SpoofCloser {
  void operator()(USpoofChecker* checker) const { uspoof_close(checker); }
};

USpoofChecker* NewChecker() {
  UErrorCode status = U_ZERO_ERROR;
  USpoofChecker* const checker = uspoof_open(&status);
  uspoof_setRestrictionLevel(checker, USPOOF_HIGHLY_RESTRICTIVE);
  uspoof_setChecks(checker, USPOOF_RESTRICTION_LEVEL, &status);
  KOMADAI_CHECK(U_SUCCESS(status));
  return checker;
}

// Never changed after it is made: safe on all threads.
const USpoofChecker* Checker() {
  static const std::unique_ptr<USpoofChecker, SpoofCloser> checker(NewChecker());
  return checker.get();
}

// Compatibility forms (width, ligatures), case and invisible characters undone.
UnicodeString Folded(const UnicodeString& text) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* fold = icu::Normalizer2::getNFKCCasefoldInstance(status);
  KOMADAI_CHECK(U_SUCCESS(status));
  return fold->normalize(text, status);
}

UChar32 LetterFor(UChar32 c) {
  switch (c) {
    case '0':
      return 'o';
    case '1':
    case '!':
    case '|':
      return 'i';
    case '3':
      return 'e';
    case '4':
    case '@':
      return 'a';
    case '5':
    case '$':
      return 's';
    case '7':
      return 't';
    default:
      return c;
  }
}

// What remains of a word when everything that looks alike is one.
std::string SkeletonOf(const UnicodeString& word) {
  UErrorCode status = U_ZERO_ERROR;
  UnicodeString skeleton;
  uspoof_getSkeletonUnicodeString(Checker(), 0, word, skeleton, &status);
  const icu::Normalizer2* decompose = icu::Normalizer2::getNFDInstance(status);
  KOMADAI_CHECK(U_SUCCESS(status));
  skeleton = decompose->normalize(Folded(skeleton), status);
  KOMADAI_CHECK(U_SUCCESS(status));
  std::string out;
  for (int32_t i = 0; i < skeleton.length(); i = skeleton.moveIndex32(i, 1)) {
    UChar32 c = skeleton.char32At(i);
    if (c == 'l') c = 'i';  // "adrnln": a digit one, a small l and a capital i are one letter
    // Marks make another letter, and are overlooked.
    if (u_charType(c) != U_NON_SPACING_MARK) UnicodeString(c).toUTF8String(out);
  }
  return out;
}

const std::set<std::string>& ReservedSkeletons() {
  static const auto& skeletons = *new std::set<std::string>([] {
    std::set<std::string> all;
    for (const char* word : kReservedWords) {
      all.insert(SkeletonOf(Folded(UnicodeString::fromUTF8(word))));
    }
    return all;
  }());
  return skeletons;
}

// The words of a name: runs of letters and marks. The last one is all of them together.
std::vector<UnicodeString> WordsOf(const UnicodeString& name) {
  std::vector<UnicodeString> words(1);
  UnicodeString together;
  for (int32_t i = 0; i < name.length(); i = name.moveIndex32(i, 1)) {
    const UChar32 c = name.char32At(i);
    if (u_isalpha(c) || u_charType(c) == U_NON_SPACING_MARK) {
      words.back().append(c);
      together.append(c);
    } else if (!words.back().isEmpty()) {
      words.emplace_back();
    }
  }
  words.push_back(together);
  return words;
}

bool HasReservedWord(const UnicodeString& name) {
  const std::vector<UnicodeString> words = WordsOf(name);
  return std::any_of(words.begin(), words.end(), [](const UnicodeString& word) {
    return !word.isEmpty() && ReservedSkeletons().contains(SkeletonOf(word));
  });
}

}  // namespace

bool IsReservedName(std::string_view name) {
  const UnicodeString folded = Folded(
      UnicodeString::fromUTF8(icu::StringPiece(name.data(), static_cast<int32_t>(name.size()))));
  UnicodeString lettered;  // with digits and signs read as letters
  for (int32_t i = 0; i < folded.length(); i = folded.moveIndex32(i, 1)) {
    lettered.append(LetterFor(folded.char32At(i)));
  }
  return HasReservedWord(folded) || HasReservedWord(lettered);
}

bool MixesScripts(std::string_view name) {
  UErrorCode status = U_ZERO_ERROR;
  const int32_t failed = uspoof_check2UTF8(Checker(), name.data(),
                                           static_cast<int32_t>(name.size()), nullptr, &status);
  return U_SUCCESS(status) && failed != 0;
}

}  // namespace komadai
