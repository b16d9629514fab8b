#include "libs/names/display_name.h"

#include <gtest/gtest.h>

#include <string>

namespace komadai {
namespace {

std::string Clean(std::string_view raw) {
  const Result<std::string> name = CleanName(raw);
  return name ? *name : "(" + name.error().reason() + ")";
}

TEST(NamesTest, OrdinaryNamesStayAsTheyAre) {
  EXPECT_EQ(Clean("Taro"), "Taro");
  EXPECT_EQ(Clean("Nguyễn Văn A"), "Nguyễn Văn A");
  EXPECT_EQ(Clean("羽生善治"), "羽生善治");
  EXPECT_EQ(Clean("e\u0302\u0301"), "e\u0302\u0301");
  EXPECT_EQ(Clean("🦊"), "🦊");
}

TEST(NamesTest, WhiteSpaceIsTrimmedAndRunsBecomeOneSpace) {
  EXPECT_EQ(Clean("  a \t\n b\u3000c  "), "a b c");
}

TEST(NamesTest, InvisibleAndDirectionCharactersAreDropped) {
  EXPECT_EQ(Clean("a\u202Eb\u200Bc\u0007"), "abc");
  EXPECT_EQ(Clean(std::string("a\0b", 3)), "ab");
}

TEST(NamesTest, StacksOfMarksAreCut) {
  EXPECT_EQ(Clean("a\u0301\u0301\u0301\u0301\u0301"), "a\u0301\u0301");
  EXPECT_EQ(Clean("\u0301x"), "x");
}

TEST(NamesTest, TwentyFourCharactersAreTheLimitWhateverTheirBytes) {
  std::string kanji;
  for (int i = 0; i < 24; ++i) kanji += "駒";
  EXPECT_EQ(Clean(kanji), kanji);
  EXPECT_EQ(Clean(kanji + "駒"), "(INVALID_NAME)");
  EXPECT_EQ(Clean(std::string(100000, 'x')), "(INVALID_NAME)");
}

TEST(NamesTest, WhatHasNothingToSeeIsRefused) {
  EXPECT_EQ(Clean(""), "(INVALID_NAME)");
  EXPECT_EQ(Clean(" \u200B\u3164 "), "(INVALID_NAME)");
  EXPECT_EQ(Clean("\xFF\xFE"), "(INVALID_NAME)");
  EXPECT_EQ(Clean("a\xE9\xA7"), "(INVALID_NAME)");
  EXPECT_EQ(Clean("\xED\xA0\x80"), "(INVALID_NAME)");
}

TEST(NamesTest, MadeUpNamesAreNames) {
  SeededRandom random(3);
  const std::string name = MadeUpName(random);
  EXPECT_EQ(Clean(name), name);
}

TEST(NamesTest, ANameFromElsewhereIsCutNotRefused) {
  EXPECT_EQ(NameFromElsewhere("  Taro\u202E  Yamada "), "Taro Yamada");
  EXPECT_EQ(NameFromElsewhere(std::string(40, 'x')), std::string(24, 'x'));
  EXPECT_EQ(NameFromElsewhere(std::string(23, 'x') + " yz"), std::string(23, 'x'));
  EXPECT_EQ(NameFromElsewhere("\u200B"), "Player");
  EXPECT_EQ(NameFromElsewhere("\xFF"), "Player");
  EXPECT_EQ(NameFromElsewhere(""), "Player");
}

}  // namespace
}  // namespace komadai
