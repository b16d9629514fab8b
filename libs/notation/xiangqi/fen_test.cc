#include "libs/notation/xiangqi/fen.h"

#include <gtest/gtest.h>

#include <string>

#include "libs/notation/errors.h"

namespace komadai::notation {
namespace {

std::string Normal(std::string_view text) {
  const Result<rules::Setup> setup = ParseFen(text);
  return setup ? FormatFen(*setup) : setup.error().ToString();
}

TEST(FenTest, CountersMayBeMissing) {
  const std::string board = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
  for (const char* rest :
       {" w", " r", " w - -", " w - - 0", " w - - 0 1", " w 0 1", " w - - 0 0"}) {
    EXPECT_EQ(Normal(board + rest), kXiangqiStart) << rest;
  }
  EXPECT_EQ(Normal("startpos"), kXiangqiStart);
}

TEST(FenTest, LettersOfOtherProgramsAreRead) {
  EXPECT_EQ(Normal("rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w"), kXiangqiStart);
}

TEST(FenTest, EmptyPocketsAreRead) {
  const std::string board = "4k4/9/9/9/9/9/9/9/9/4K4";
  for (const std::string& text :
       {board + " w [] - - 0 1", board + " w [-] - - 0 1", board + "[] w - - 0 1",
        board + "[-] w - - 0 1", board + " w [] 0 1", board + " w []"}) {
    const auto setup = ParseFen(text);
    ASSERT_TRUE(setup) << text << ": " << setup.error().ToString();
    EXPECT_EQ(FormatFen(*setup), board + " w - - 0 1") << text;
  }
  for (const std::string& text : {board + " w [R] - - 0 1", board + "[r] w - - 0 1",
                                  board + " w [ - - 0 1", board + " w - [] 0 1"}) {
    EXPECT_FALSE(ParseFen(text)) << text;
  }
}

TEST(FenTest, CountersAndSideAreKept) {
  const std::string text = "4k4/9/9/9/9/9/9/9/9/4K4 b - - 17 42";
  EXPECT_EQ(Normal(text), text);
  EXPECT_EQ(ParseFen(text)->quiet_plies, 17);
  EXPECT_EQ(ParseFen(text)->move_number, 84);
}

TEST(FenTest, MalformedTextIsRefused) {
  for (const std::string_view text :
       {"", "w", "9/9 w", "9/9/9/9/9/9/9/9/9/9", "9/9/9/9/9/9/9/9/9/9/9 w",
        "9/9/9/9/9/9/9/9/9/91 w", "9/9/9/9/9/9/9/9/9/8 w", "9/9/9/9/9/9/9/9/9/q8 w",
        "9/9/9/9/9/9/9/9/9/?8 w", "9/9/9/9/9/9/9/9/9/9 x", "9/9/9/9/9/9/9/9/9/9 w - - -1 1",
        "9/9/9/9/9/9/9/9/9/9 w - - 0 1 2", "9/9/9/9/9/9/9/9/9/9 w x y 0 1",
        "9/9/9/9/9/9/9/9/9/9 w - - 0 99999999"}) {
    const Result<rules::Setup> setup = ParseFen(text);
    ASSERT_FALSE(setup) << text;
    EXPECT_TRUE(setup.error().Is(kInvalidPosition)) << text;
  }
}

}  // namespace
}  // namespace komadai::notation
