#include <gtest/gtest.h>

#include <string>

#include "libs/notation/errors.h"
#include "libs/notation/move_notation.h"
#include "libs/notation/position_text.h"
#include "libs/notation/xiangqi/ucci.h"

namespace komadai::notation {
namespace {

using rules::Move;
using rules::Position;
using rules::Variant;

Position At(std::string_view fen) { return *ParsePosition(Variant::kXiangqi, fen); }

std::string ReadBy(Notation notation, const Position& position, std::string_view text,
                   MoveContext context = {}) {
  const Result<Move> move = ParseMove(position, text, notation, context);
  return move ? FormatUcci(*move) : move.error().reason();
}

std::string WrittenBy(Notation notation, const Position& position, std::string_view ucci) {
  return *FormatMove(position, *ParseUcci(ucci), notation);
}

TEST(XiangqiNotationTest, FormIsRecognised) {
  const Position start = At("startpos");
  for (const char* text : {"h2e2", "H2-E2", "C2=5", "炮二平五", "P2-5", "pháo 2 bình 5"}) {
    const Result<Move> move = ParseAnyMove(start, text);
    ASSERT_TRUE(move) << text;
    EXPECT_EQ(FormatUcci(*move), "h2e2") << text;
  }
}

TEST(XiangqiNotationTest, ChineseReadsWhatPeopleType) {
  const Position start = At("startpos");
  for (const char* text : {"炮二平五", "砲二平五", "炮2平5", "炮２平５", "炮 二 平 五"}) {
    EXPECT_EQ(ReadBy(Notation::kChinese, start, text), "h2e2") << text;
  }
  for (const char* text : {"馬八進七", "马八进七", "傌8进7"}) {
    EXPECT_EQ(ReadBy(Notation::kChinese, start, text), "b0c2") << text;
  }
}

TEST(XiangqiNotationTest, VietnameseReadsWhatPeopleType) {
  const Position start = At("startpos");
  for (const char* text :
       {"Pháo 2 bình 5", "phao 2 binh 5", "PHÁO  2  BÌNH  5", "pha\xCC\x81o 2 bi\xCC\x80nh 5"}) {
    EXPECT_EQ(ReadBy(Notation::kVietnameseLong, start, text), "h2e2") << text;
  }
  EXPECT_EQ(ReadBy(Notation::kVietnameseLong, start, "mã 8 tiến 7"), "b0c2");
  EXPECT_EQ(ReadBy(Notation::kVietnameseLong, start, "tượng 3 tấn 5"), "g0e2");
  EXPECT_EQ(ReadBy(Notation::kVietnameseLong, start, "tướng 5 tấn 1"), "e0e1");
  EXPECT_EQ(ReadBy(Notation::kVietnamese, start, "p2-5"), "h2e2");
  EXPECT_EQ(ReadBy(Notation::kVietnamese, start, "B3.1"), "g3g4");
}

TEST(XiangqiNotationTest, FederationLettersMustBeAskedFor) {
  const Position start = At("startpos");
  MoveContext federation;
  federation.vietnamese = VietnameseLetters::kFederation;
  EXPECT_EQ(ReadBy(Notation::kVietnamese, start, "T3.1"), "g3g4");
  EXPECT_EQ(ReadBy(Notation::kVietnamese, start, "T3.1", federation), "g0i2");
  EXPECT_EQ(ReadBy(Notation::kVietnamese, start, "Tg3.1"), "g0i2");
}

TEST(XiangqiNotationTest, WxfReadsWhatPeopleType) {
  const Position start = At("startpos");
  for (const char* text : {"C2=5", "c2=5", "C2.5", "Ｃ２＝５"}) {
    EXPECT_EQ(ReadBy(Notation::kWxf, start, text), "h2e2") << text;
  }
  for (const char* text : {"H8+7", "N8+7", "n8+7"}) {
    EXPECT_EQ(ReadBy(Notation::kWxf, start, text), "b0c2") << text;
  }
}

TEST(XiangqiNotationTest, MiddleSoldierOfTwoFilesHasANumber) {
  const Position position = At("5k3/9/2P3P2/2P3P2/2P6/9/9/9/9/3K5 w");
  EXPECT_EQ(WrittenBy(Notation::kWxf, position, "c6d6"), "27=6");
  EXPECT_EQ(WrittenBy(Notation::kChinese, position, "c6d6"), "中兵七平六");
  EXPECT_EQ(WrittenBy(Notation::kVietnamese, position, "c6d6"), "T(2)7-6");
  EXPECT_EQ(WrittenBy(Notation::kVietnameseLong, position, "c6d6"), "tốt giữa 7 bình 6");
  for (const char* text : {"tốt thứ 2 7 bình 6", "tốt giữa 7 bình 6"}) {
    EXPECT_EQ(ReadBy(Notation::kVietnameseLong, position, text), "c6d6") << text;
  }
}

// As xiangqi programs count: the files from the mover's right to the left, each from front to rear.
TEST(XiangqiNotationTest, SoldiersOfSeveralFilesAreNumberedOverAllOfThem) {
  const Position position = At("4k4/9/3P1P3/3P1P3/9/9/9/9/9/3K5 w");
  EXPECT_EQ(ReadBy(Notation::kChinese, position, "一兵平五"), "f7e7");
  EXPECT_EQ(ReadBy(Notation::kChinese, position, "二兵平五"), "f6e6");
  EXPECT_EQ(ReadBy(Notation::kChinese, position, "三兵平五"), "d7e7");
  EXPECT_EQ(ReadBy(Notation::kChinese, position, "四兵平五"), "d6e6");
  EXPECT_EQ(ReadBy(Notation::kChinese, position, "五兵平五"), "INVALID_MOVE");
  EXPECT_EQ(ReadBy(Notation::kVietnamese, position, "T(3)-5"), "d7e7");
  EXPECT_EQ(ReadBy(Notation::kVietnameseLong, position, "tốt thứ 4 bình 5"), "d6e6");
  // With a column the number counts on that file only.
  EXPECT_EQ(ReadBy(Notation::kWxf, position, "26=5"), "d6e6");
  EXPECT_EQ(ReadBy(Notation::kChinese, position, "二兵六平五"), "d6e6");
}

TEST(XiangqiNotationTest, BlackCountsItsSoldiersFromItsOwnRight) {
  const Position position = At("3k5/9/9/9/9/9/3p1p3/3p1p3/9/4K4 b");
  EXPECT_EQ(ReadBy(Notation::kChinese, position, "1卒平5"), "d2e2");
  EXPECT_EQ(ReadBy(Notation::kChinese, position, "3卒平5"), "f2e2");
}

// One soldier alone on its file is not counted.
TEST(XiangqiNotationTest, OnlySoldiersWithCompanyAreNumbered) {
  const Position position = At("4k4/9/3P1P1P1/3P1P3/9/9/9/9/9/3K5 w");
  EXPECT_EQ(ReadBy(Notation::kChinese, position, "一兵平五"), "f7e7");
  EXPECT_EQ(ReadBy(Notation::kChinese, position, "三兵平五"), "d7e7");
}

TEST(XiangqiNotationTest, AmbiguousTextIsNotGuessed) {
  const Position soldiers = At("5k3/9/3P5/3P1P1P1/5P3/9/9/9/9/4K4 w");
  EXPECT_EQ(ReadBy(Notation::kChinese, soldiers, "前兵進一"), "AMBIGUOUS_MOVE");
  EXPECT_EQ(ReadBy(Notation::kChinese, soldiers, "前六進一"), "d7d8");
  const Position chariots = At("5k3/9/9/4R4/9/9/4R4/9/9/3K5 w");
  EXPECT_EQ(ReadBy(Notation::kWxf, chariots, "R5=1"), "AMBIGUOUS_MOVE");
  EXPECT_EQ(ReadBy(Notation::kWxf, chariots, "R5+3"), "e6e9");
}

TEST(XiangqiNotationTest, BrokenRulesAreNamed) {
  const Position start = At("startpos");
  EXPECT_EQ(ReadBy(Notation::kWxf, start, "H8+9"), "b0a2");
  EXPECT_EQ(ReadBy(Notation::kWxf, start, "R9+9"), "BLOCKED");
  EXPECT_EQ(ReadBy(Notation::kChinese, start, "馬八進六"), "HORSE_LEG");
  EXPECT_EQ(ReadBy(Notation::kWxf, start, "P3-1"), "PAWN_BACKWARD");
  EXPECT_EQ(ReadBy(Notation::kWxf, start, "P2=3"), "INVALID_MOVE");
}

// Rank 18 of the file b has the bits of its rank 2.
TEST(XiangqiNotationTest, StepsBeyondTheBoardAreNoMove) {
  const Position position = At("1R7/5k3/9/9/9/9/9/9/9/3K5 w - - 0 1");
  EXPECT_EQ(ReadBy(Notation::kWxf, position, "R8-7"), "b9b2");
  EXPECT_EQ(ReadBy(Notation::kWxf, position, "R8+9"), "INVALID_MOVE");
  EXPECT_EQ(ReadBy(Notation::kChinese, position, "車八進九"), "INVALID_MOVE");
  EXPECT_EQ(ReadBy(Notation::kVietnamese, position, "X8.9"), "INVALID_MOVE");
}

TEST(XiangqiNotationTest, HostileTextIsRefusedAndQuotedShort) {
  const Position start = At("startpos");
  const std::string inputs[] = {"",
                                " ",
                                "++++",
                                "----",
                                "9999",
                                std::string(1'000'000, 'C'),
                                std::string("\0\0\0\0", 4),
                                "\xFF\xFE\xFD\xFC",
                                "前前前前",
                                "兵",
                                "T(",
                                "T(2",
                                "T()-1",
                                "tốt thứ",
                                "pháo pháo pháo pháo",
                                "P2-"};
  for (const std::string& text : inputs) {
    for (const Notation notation : NotationsOf(Variant::kXiangqi)) {
      const Result<Move> move = ParseMove(start, text, notation);
      ASSERT_FALSE(move) << text.substr(0, 20);
      EXPECT_LT(move.error().message().size(), 200U);
    }
    EXPECT_FALSE(ParseAnyMove(start, text));
  }
}

}  // namespace
}  // namespace komadai::notation
