#include "services/engine/domain/dialect.h"

#include <gtest/gtest.h>

#include "libs/base/random.h"
#include "services/engine/domain/time_budget.h"

namespace komadai::engine {
namespace {

using rules::Side;
using rules::Variant;

const Play kUsiPlay{Variant::kShogi, Protocol::kUsi, "shogi", RankNumbers::kPlain};
const Play kXiangqiPlay{Variant::kXiangqi, Protocol::kUci, "xiangqi", RankNumbers::kFromOne};

Traits Named(const std::string& name) {
  Traits traits;
  traits.name = name;
  return traits;
}

SearchRequest OnClocks(Clocks clocks, Side mover) {
  SearchRequest request;
  request.clocks = clocks;
  request.game.side_to_move = mover;
  return request;
}

Line LineIn(const Play& play, std::string_view text) {
  const Answer answer = ParseAnswer(play, text);
  const auto* line = std::get_if<LineAnswer>(&answer);
  return line != nullptr ? line->line : Line{};
}

BestMove BestIn(const Play& play, std::string_view text) {
  const Answer answer = ParseAnswer(play, text);
  const auto* best = std::get_if<BestMoveAnswer>(&answer);
  EXPECT_NE(best, nullptr) << text;
  return best != nullptr ? best->best : BestMove{};
}

TEST(DialectTest, PositionsCarryTheirMoves) {
  GameSoFar game{Variant::kShogi, "lnsg b - 1", {}, Side::kFirst};
  EXPECT_EQ(PositionCommand(kUsiPlay, game), "position sfen lnsg b - 1");
  game.moves = {"7g7f", "P*5e"};
  EXPECT_EQ(PositionCommand(kUsiPlay, game), "position sfen lnsg b - 1 moves 7g7f P*5e");
}

TEST(DialectTest, XiangqiMovesAreWrittenWithTheEnginesRanks) {
  const GameSoFar game{Variant::kXiangqi, "9/9 w - - 0 1", {"h2e2", "h9g7"}, Side::kFirst};
  EXPECT_EQ(PositionCommand(kXiangqiPlay, game), "position fen 9/9 w - - 0 1 moves h3e3 h10g8");
}

TEST(DialectTest, GoSpellsOutTheLimits) {
  SearchRequest request;
  request.limits = {.time = Millis(1'500), .nodes = 60'000, .depth = 8};
  EXPECT_EQ(GoCommand(kUsiPlay, {}, request), "go depth 8 nodes 60000 movetime 1500");
}

TEST(DialectTest, SearchmovesComeLastAndInTheEnginesWords) {
  SearchRequest request;
  request.limits.nodes = 10;
  request.only_moves = {"a9a8", "h2e2"};
  EXPECT_EQ(GoCommand(kXiangqiPlay, {}, request), "go nodes 10 searchmoves a10a9 h3e3");
}

// A handicap game with unequal clocks: each side's go line must carry each side's own time.
TEST(DialectTest, UsiClocksAreSentesAsBtimeAndGotesAsWtimeWhoeverMoves) {
  const Clocks clocks{SideTime{.main_left = Millis(600'000)}, SideTime{.main_left = Millis(5'000)}};
  for (const Side mover : {Side::kFirst, Side::kSecond}) {
    EXPECT_EQ(GoCommand(kUsiPlay, {}, OnClocks(clocks, mover)), "go btime 600000 wtime 5000");
  }
}

TEST(DialectTest, TheMoversOwnByoyomiIsSent) {
  Clocks clocks;
  clocks[0] = {.main_left = Millis(1'000), .byoyomi = Millis(30'000)};
  clocks[1] = {.main_left = Millis(2'000), .byoyomi = Millis(60'000)};
  EXPECT_EQ(GoCommand(kUsiPlay, {}, OnClocks(clocks, Side::kFirst)),
            "go btime 1000 wtime 2000 byoyomi 30000");
  EXPECT_EQ(GoCommand(kUsiPlay, {}, OnClocks(clocks, Side::kSecond)),
            "go btime 1000 wtime 2000 byoyomi 60000");
}

TEST(DialectTest, UsiIncrementsAreNotExchanged) {
  Clocks clocks;
  clocks[0] = {.main_left = Millis(1'000), .increment = Millis(10)};
  clocks[1] = {.main_left = Millis(2'000), .increment = Millis(20)};
  EXPECT_EQ(GoCommand(kUsiPlay, {}, OnClocks(clocks, Side::kSecond)),
            "go btime 1000 wtime 2000 binc 10 winc 20");
}

TEST(DialectTest, OldFairyStockfishGetsItsUsiClocksExchanged) {
  Clocks clocks;
  clocks[0] = {.main_left = Millis(1'000), .increment = Millis(10)};
  clocks[1] = {.main_left = Millis(2'000), .increment = Millis(20)};
  EXPECT_EQ(
      GoCommand(kUsiPlay, Named("Fairy-Stockfish 11.1 LB 64"), OnClocks(clocks, Side::kFirst)),
      "go btime 2000 wtime 1000 binc 20 winc 10");
  for (const char* newer : {"Fairy-Stockfish 13", "Fairy-Stockfish 14.0.1 XQ",
                            "Fairy-Stockfish 231223 LB", "YaneuraOu NNUE 7.10 64AVX2"}) {
    EXPECT_EQ(GoCommand(kUsiPlay, Named(newer), OnClocks(clocks, Side::kFirst)),
              "go btime 1000 wtime 2000 binc 10 winc 20")
        << newer;
  }
}

TEST(DialectTest, UciClocksGiveRedWtimeAndByoyomiAsTimeThatComesBack) {
  Clocks clocks;
  clocks[0] = {.main_left = Millis(1'000), .byoyomi = Millis(500)};
  clocks[1] = {.main_left = Millis(2'000), .increment = Millis(7)};
  EXPECT_EQ(GoCommand(kXiangqiPlay, Named("Fairy-Stockfish 11.1"), OnClocks(clocks, Side::kSecond)),
            "go wtime 1500 btime 2000 winc 500 binc 7");
}

TEST(DialectTest, ReadsAUsiInfoLine) {
  const Line line = LineIn(kUsiPlay,
                           "info depth 5 seldepth 7 multipv 2 score cp -227 nodes 1588 nps 176444 "
                           "tbhits 0 time 9 pv 5a4b 4g4f P*3c 2c2b+");
  EXPECT_EQ(line.rank, 2);
  EXPECT_EQ(line.depth, 5);
  EXPECT_EQ(line.score, (Score{Score::Kind::kCentipawns, -227}));
  EXPECT_EQ(line.nodes, 1588);
  EXPECT_EQ(line.time, Millis(9));
  EXPECT_EQ(line.moves, (std::vector<std::string>{"5a4b", "4g4f", "P*3c", "2c2b+"}));
}

TEST(DialectTest, MatesAreCountedInPlies) {
  const auto mate = [](const Play& play, const std::string& number) {
    const std::string move = play.protocol == Protocol::kUsi ? "5a4b" : "a10a9";
    return LineIn(play, "info depth 1 score mate " + number + " pv " + move).score;
  };
  const auto plies = [](int value) { return Score{Score::Kind::kMatePlies, value}; };
  EXPECT_EQ(mate(kUsiPlay, "3"), plies(3));
  EXPECT_EQ(mate(kUsiPlay, "-4"), plies(-4));
  EXPECT_EQ(mate(kUsiPlay, "+"), plies(1));
  EXPECT_EQ(mate(kUsiPlay, "-"), plies(-1));
  EXPECT_EQ(mate(kXiangqiPlay, "1"), plies(1));
  EXPECT_EQ(mate(kXiangqiPlay, "2"), plies(3));
  EXPECT_EQ(mate(kXiangqiPlay, "-1"), plies(-2));
}

TEST(DialectTest, XiangqiLinesComeBackInPlainNotation) {
  EXPECT_EQ(LineIn(kXiangqiPlay, "info depth 2 score cp 1 pv h3e3 a10a9 b3b10").moves,
            (std::vector<std::string>{"h2e2", "a9a8", "b2b9"}));
}

TEST(DialectTest, BestMovesOfAllKinds) {
  EXPECT_EQ(BestIn(kUsiPlay, "bestmove 7g7f ponder 3c3d").move, "7g7f");
  EXPECT_EQ(BestIn(kXiangqiPlay, "bestmove a10a9").move, "a9a8");
  EXPECT_EQ(BestIn(kUsiPlay, "bestmove resign").kind, BestMove::Kind::kResigns);
  EXPECT_EQ(BestIn(kUsiPlay, "bestmove win").kind, BestMove::Kind::kDeclaresWin);
  for (const char* text : {"bestmove (none)", "bestmove", "bestmove 0000", "bestmove \xff\xfe"}) {
    EXPECT_EQ(BestIn(kXiangqiPlay, text).kind, BestMove::Kind::kNone) << text;
  }
}

TEST(DialectTest, GarbageIsNoAnswer) {
  for (const char* text :
       {"", " ", "info", "info depth", "info depth x score cp", "info string pv 7g7f",
        "info depth 1 multipv 0 pv 7g7f", "info depth 1 multipv -5 pv 7g7f", "option", "id",
        "readyokay", "usiok?", "\xff\x00\x01", "info depth 99999999999999999999 score cp 1 pv"}) {
    EXPECT_TRUE(std::holds_alternative<NoAnswer>(ParseAnswer(kUsiPlay, text))) << text;
  }
}

TEST(DialectTest, AnyBytesAreTakenWithoutHarm) {
  const std::string_view words[] = {
      "info ",  "depth ",    "score ",       "mate ",  "cp ",      "pv ",
      "+",      "bestmove ", "option name ", " type ", "id name ", "7g7f ",
      "a10a9 ", "-",         "9999999999 ",  "\xff",   "\0"};
  SeededRandom random(7);
  for (int i = 0; i < 20'000; ++i) {
    std::string line;
    for (std::uint64_t n = random.Below(12); n > 0; --n) {
      line += random.Below(4) == 0 ? std::string(1, static_cast<char>(random.Below(256)))
                                   : std::string(words[random.Below(std::size(words))]);
    }
    for (const Play& play : {kUsiPlay, kXiangqiPlay}) {
      const Answer answer = ParseAnswer(play, line);
      const auto* found = std::get_if<LineAnswer>(&answer);
      EXPECT_TRUE(found == nullptr || !found->line.moves.empty());
    }
  }
}

TEST(DialectTest, ALineEndsAtItsFirstUnreadableMove) {
  EXPECT_EQ(LineIn(kUsiPlay, "info depth 1 score cp 1 pv 7g7f rubbish 3c3d").moves,
            (std::vector<std::string>{"7g7f"}));
}

TEST(DialectTest, OptionsAreFoundWhateverTheirSpelling) {
  Traits traits;
  for (const char* line :
       {"option name Skill_Level type spin default 20", "option name USI_Hash type spin default 16",
        "option name UCI_Variant type combo default shogi var shogi"}) {
    const Answer answer = ParseAnswer(kUsiPlay, line);
    ASSERT_TRUE(std::holds_alternative<OptionAnswer>(answer)) << line;
    traits.AddOption(std::get<OptionAnswer>(answer).name);
  }
  EXPECT_EQ(traits.FindOption("Skill Level"), "Skill_Level");
  EXPECT_EQ(traits.FindOption("Hash"), "USI_Hash");
  EXPECT_EQ(traits.FindOption("UCI_Variant"), "UCI_Variant");
  EXPECT_FALSE(traits.FindOption("MultiPV"));
}

TEST(DialectTest, TheNameIsMadePrintable) {
  const Answer answer = ParseAnswer(kUsiPlay, "id name Nice \xff Engine");
  ASSERT_TRUE(std::holds_alternative<NameAnswer>(answer));
  EXPECT_EQ(std::get<NameAnswer>(answer).name, "Nice ? Engine");
}

}  // namespace
}  // namespace komadai::engine
