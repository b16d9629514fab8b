#include "cli/convert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command_test.h"

namespace komadai::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kUsi[] = "position startpos moves 7g7f 3c3d 8h2b+";
constexpr char kCsa[] = "V2.2\nN+Alpha\nN-Beta\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n";

// Of standard input.
ConvertOptions To(const std::string& format) {
  ConvertOptions options;
  options.input = "-";
  options.to = format;
  return options;
}

std::string Converted(const std::string& input, const ConvertOptions& options) {
  const Ran ran = RunCommand(RunConvert, options, input);
  EXPECT_EQ(ran.status, kExitOk) << ran.err;
  return ran.out;
}

TEST(ConvertCommandTest, BetweenFormats) {
  EXPECT_THAT(Converted(kUsi, To("csa")), HasSubstr("+7776FU\n-3334FU\n+8822UM\n"));
  EXPECT_THAT(Converted(kUsi, To("kif")), HasSubstr("２二角成(88)"));
  EXPECT_EQ(Converted(kCsa, To("usi")), "position startpos moves 7g7f 3c3d\n");
  // Round trip.
  EXPECT_EQ(Converted(Converted(kUsi, To("kif")), To("usi")), std::string(kUsi) + "\n");
}

TEST(ConvertCommandTest, BetweenEncodings) {
  ConvertOptions options = To("kif");
  options.to_encoding = "shift_jis";
  const std::string sjis = Converted(kUsi, options);
  EXPECT_THAT(sjis, HasSubstr("\x82\x51\x93\xf1\x8a\x70\x90\xac"));  // ２二角成
  ConvertOptions back = To("usi");
  back.from = "kif";
  back.encoding = "shift_jis";
  EXPECT_EQ(Converted(sjis, back), std::string(kUsi) + "\n");
}

TEST(ConvertCommandTest, WhatIsLostIsSaid) {
  const Ran ran = RunCommand(RunConvert, To("usi"), kCsa);
  EXPECT_THAT(ran.err, HasSubstr("komadai convert: warning: USI lines have no place for the "
                                 "result\n"));
}

TEST(ConvertCommandTest, SeveralGamesStaySeveral) {
  const std::string two = "startpos moves 7g7f\nstartpos moves 2g2f 8c8d\n";
  const std::string usi = "position startpos moves 7g7f\nposition startpos moves 2g2f 8c8d\n";
  EXPECT_EQ(Converted(two, To("usi")), usi);
  EXPECT_EQ(Converted(Converted(two, To("csa")), To("usi")), usi);
  ConvertOptions second = To("kif");
  second.game = 2;
  EXPECT_THAT(Converted(two, second), HasSubstr("８四歩(83)"));
  const std::string xiangqi = "startpos moves h2e2\nstartpos moves h2e2 h9g7\n";
  ConvertOptions pgn = To("pgn");
  pgn.variant = "xiangqi";
  EXPECT_THAT(Converted(Converted(xiangqi, pgn), To("usi")),
              HasSubstr(" moves h2e2\nposition fen "));

  const Ran many = RunCommand(RunConvert, To("kif"), two);
  EXPECT_EQ(many.status, kExitUsage);
  EXPECT_EQ(many.out, "");
  EXPECT_THAT(many.err, StartsWith("komadai convert: MANY_GAMES: "));
  second.game = 3;
  EXPECT_THAT(RunCommand(RunConvert, second, two).err,
              StartsWith("komadai convert: NO_SUCH_GAME: "));
}

TEST(ConvertCommandTest, GamesAsJson) {
  ConvertOptions options;
  options.input = "-";
  options.json = true;
  const Ran ran = RunCommand(RunConvert, options, kCsa);
  ASSERT_EQ(ran.status, kExitOk) << ran.err;
  const nlohmann::json answer = ran.json();
  EXPECT_EQ(answer["format"], "csa");
  EXPECT_EQ(answer["encoding"], "utf-8");
  ASSERT_EQ(answer["games"].size(), 1U);
  const nlohmann::json& game = answer["games"][0];
  EXPECT_EQ(game["first"]["name"], "Alpha");
  EXPECT_EQ(game["moves"][1]["move"], "3c3d");
  EXPECT_EQ(game["result"]["ending"], "ENDING_RESIGNATION");
}

TEST(ConvertCommandTest, SaysWhatIsWrong) {
  const auto fails = [](const ConvertOptions& options, const std::string& input,
                        const std::string& reason) {
    const Ran ran = RunCommand(RunConvert, options, input);
    EXPECT_EQ(ran.status, kExitUsage) << reason;
    EXPECT_EQ(ran.out, "") << reason;
    EXPECT_THAT(ran.err, StartsWith("komadai convert: " + reason + ": "));
  };
  fails(To("csa"), "", "UNKNOWN_FORMAT");
  fails(To("csa"), "position startpos moves 7g7e\n", "BAD_GEOMETRY");
  fails(To("csa"), std::string((1 << 20) + 1, 'x'), "RECORD_TOO_LARGE");
  fails(To("pgn"), kUsi, "WRONG_NOTATION");
  fails(To("jkf"), kUsi, "FORMAT_NOT_SUPPORTED");
  fails(To("doc"), kUsi, "UNKNOWN_FORMAT");
  fails(To(""), kUsi, "NOTHING_TO_WRITE");
  ConvertOptions options = To("csa");
  options.to_encoding = "ebcdic";
  fails(options, kUsi, "BAD_ENCODING");
  options = To("csa");
  options.from = "doc";
  fails(options, kUsi, "UNKNOWN_FORMAT");
  options = To("csa");
  options.encoding = "ebcdic";
  fails(options, kUsi, "BAD_ENCODING");
  options = To("csa");
  options.variant = "chess";
  fails(options, kUsi, "UNKNOWN_VARIANT");
  options = To("csa");
  options.input = "no such file";
  fails(options, "", "UNREADABLE_FILE");
  options.input = ".";
  fails(options, "", "UNREADABLE_FILE");
}

}  // namespace
}  // namespace komadai::cli
