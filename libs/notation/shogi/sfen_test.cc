#include "libs/notation/shogi/sfen.h"

#include <gtest/gtest.h>

#include <string>

#include "libs/notation/errors.h"
#include "libs/notation/position_text.h"
#include "libs/rules/shogi/kinds.h"

namespace komadai::notation {
namespace {

using rules::Side;
using rules::Variant;

std::string Normal(std::string_view text, Variant variant = Variant::kShogi) {
  const Result<rules::Setup> setup = ParseSfen(variant, text);
  return setup ? FormatSfen(*setup) : setup.error().ToString();
}

TEST(SfenTest, NormalFormReadsBackUnchanged) {
  for (const std::string_view text :
       {kShogiStart, std::string_view("7k1/9/7P1/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"),
        std::string_view("ln1g4l/1ks1g2+R1/1pppp1n1p/p5p2/9/P1P2r3/1PNPP1P1P/2K2S3/L1SG2GNL b "
                         "S2P2b2p 19")}) {
    EXPECT_EQ(Normal(text), text);
  }
  EXPECT_EQ(Normal(kMinishogiStart, Variant::kMinishogi), kMinishogiStart);
}

TEST(SfenTest, UnaryAndUnorderedHandsBecomeTheNormalForm) {
  EXPECT_EQ(
      Normal("ln1g4l/1ks1g2+R1/1pppp1n1p/p5p2/9/P1P2r3/1PNPP1P1P/2K2S3/L1SG2GNL b PSPpbpb 19"),
      "ln1g4l/1ks1g2+R1/1pppp1n1p/p5p2/9/P1P2r3/1PNPP1P1P/2K2S3/L1SG2GNL b S2P2b2p 19");
  EXPECT_EQ(Normal("4k4/9/9/9/9/9/9/9/4K4 w pP2pR 1"), "4k4/9/9/9/9/9/9/9/4K4 w RP3p 1");
}

TEST(SfenTest, WhatCannotBeInHandIsNotLost) {
  EXPECT_EQ(Normal("4k4/9/9/9/9/9/9/9/9 b 2kPK 1"), "4k4/9/9/9/9/9/9/9/9 b PK2k 1");
  EXPECT_EQ(ParsePosition(Variant::kShogi, "4k4/9/9/9/9/9/9/9/9 b K 1").error().reason(),
            "HAND_NOT_ALLOWED");
}

TEST(SfenTest, TwoDigitHandCountsAreRead) {
  const Result<rules::Setup> setup =
      ParseSfen(Variant::kShogi, "7k1/9/7P1/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
  ASSERT_TRUE(setup);
  EXPECT_EQ(setup->hand(Side::kSecond, rules::shogi::kPawn), 17);
}

TEST(SfenTest, MissingFieldsAndWordsAreForgiven) {
  EXPECT_EQ(Normal("startpos"), kShogiStart);
  EXPECT_EQ(Normal(" sfen startpos "), kShogiStart);
  EXPECT_EQ(Normal("4k4/9/9/9/9/9/9/9/4K4 b"), "4k4/9/9/9/9/9/9/9/4K4 b - 1");
  EXPECT_EQ(Normal("4k4/9/9/9/9/9/9/9/4K4 w -"), "4k4/9/9/9/9/9/9/9/4K4 w - 1");
  EXPECT_EQ(Normal("4k4/9/9/9/9/9/9/9/4K4 w - 0"), "4k4/9/9/9/9/9/9/9/4K4 w - 1");
  EXPECT_EQ(Normal("4k4/9/9/9/36/9/9/9/1111K4 w - 7"), "4k4/9/9/9/9/9/9/9/4K4 w - 7");
}

TEST(SfenTest, EmptyPocketsAreEmptyHands) {
  const std::string board = "4k4/9/9/9/9/9/9/9/4K4";
  for (const std::string& text :
       {board + " b [] 1", board + " b [-] 1", board + "[] b - 1", board + "[-] b"}) {
    const auto setup = ParseSfen(rules::Variant::kShogi, text);
    ASSERT_TRUE(setup) << text << ": " << setup.error().ToString();
    EXPECT_EQ(FormatSfen(*setup), board + " b - 1") << text;
  }
  EXPECT_FALSE(ParseSfen(rules::Variant::kShogi, board + " b [P] 1"));
}

TEST(SfenTest, MalformedTextIsRefused) {
  for (const std::string_view text : {"",
                                      "b",
                                      "9 b - 1",
                                      "9/9/9/9/9/9/9/9/9/9 b - 1",
                                      "9/9/9/9/9/9/9/9/91 b - 1",
                                      "9/9/9/9/9/9/9/9/8 b - 1",
                                      "9/9/9/9/9/9/9/9/08 b - 1",
                                      "9/9/9/9/9/9/9/9/+9 b - 1",
                                      "9/9/9/9/9/9/9/9/8+ b - 1",
                                      "9/9/9/9/9/9/9/9/++P8 b - 1",
                                      "9/9/9/9/9/9/9/9/+G8 b - 1",
                                      "9/9/9/9/9/9/9/9/+K8 b - 1",
                                      "9/9/9/9/9/9/9/9/X8 b - 1",
                                      "9/9/9/9/9/9/9/9/9 x - 1",
                                      "9/9/9/9/9/9/9/9/9 b 3 1",
                                      "9/9/9/9/9/9/9/9/9 b P-p 1",
                                      "9/9/9/9/9/9/9/9/9 b 0P 1",
                                      "9/9/9/9/9/9/9/9/9 b 100P 1",
                                      "9/9/9/9/9/9/9/9/9 b 99P2P 1",
                                      "9/9/9/9/9/9/9/9/9 b - x",
                                      "9/9/9/9/9/9/9/9/9 b - -1",
                                      "9/9/9/9/9/9/9/9/9 b - 9999999999",
                                      "9/9/9/9/9/9/9/9/9 b - 1 1",
                                      "9/9/9/9/9/9/9/9/\xE6\xAD\xA9 b - 1"}) {
    const Result<rules::Setup> setup = ParseSfen(Variant::kShogi, text);
    ASSERT_FALSE(setup) << text;
    EXPECT_TRUE(setup.error().Is(kInvalidPosition)) << text;
  }
}

TEST(SfenTest, HugeTextIsRefusedAndQuotedShort) {
  const Result<rules::Setup> setup = ParseSetup(Variant::kShogi, std::string(100'000, 'P'));
  ASSERT_FALSE(setup);
  EXPECT_LT(setup.error().message().size(), 200U);
}

TEST(SfenTest, ControlCharactersDoNotReachMessages) {
  const Result<rules::Setup> setup = ParseSetup(Variant::kShogi, "\x1B[31m\n\xFF/9 b - 1");
  ASSERT_FALSE(setup);
  for (const char c : setup.error().message()) EXPECT_GE(static_cast<unsigned char>(c), 0x20);
}

}  // namespace
}  // namespace komadai::notation
