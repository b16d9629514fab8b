#include "services/rating/domain/fold.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "libs/base/random.h"
#include "libs/elo/grade.h"
#include "libs/elo/handicap.h"

namespace komadai::rating {
namespace {

RatedGame Game(int number, const std::string& first, const std::string& second, elo::Score score) {
  RatedGame game;
  game.id = "game" + std::to_string(number);
  game.first.id = first;
  game.second.id = second;
  game.first_score = score;
  game.ended_at = FromUnixMillis(1'700'000'000'000 + number);
  return game;
}

RecordedGame Record(const RatedGame& game, const RatedPair& pair) {
  RecordedGame recorded;
  recorded.id = game.id;
  recorded.variant = game.variant;
  recorded.first_id = game.first.id;
  recorded.second_id = game.second.id;
  recorded.first_score = game.first_score;
  recorded.handicap = game.handicap;
  recorded.ended_at = game.ended_at;
  recorded.changes = {pair.first_change, pair.second_change};
  return recorded;
}

// Players, their standings and histories, as rated one game after another.
class League {
 public:
  RatedPair Play(const RatedGame& game) {
    RatedPair pair = Rate(game, standings_[game.first.id], standings_[game.second.id]);
    standings_[game.first.id] = pair.first;
    standings_[game.second.id] = pair.second;
    histories_[game.first.id].push_back(pair.first_change);
    histories_[game.second.id].push_back(pair.second_change);
    return pair;
  }
  const std::map<std::string, Standing>& standings() const { return standings_; }
  const std::vector<RatingChange>& HistoryOf(const std::string& id) { return histories_[id]; }

 private:
  std::map<std::string, Standing> standings_;
  std::map<std::string, std::vector<RatingChange>> histories_;
};

TEST(FoldTest, P6RandomHistoriesFoldToTheirStandings) {
  SeededRandom random(7);
  League league;
  const elo::Score scores[] = {elo::kWin, elo::kDraw, elo::kLoss};
  const char* handicaps[] = {"", "", "left_lance", "2_piece", "6_piece"};
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t first = random.Below(12);
    const std::uint64_t second = (first + 1 + random.Below(11)) % 12;
    RatedGame game =
        Game(i, "p" + std::to_string(first), "p" + std::to_string(second), scores[random.Below(3)]);
    game.handicap = handicaps[random.Below(5)];
    game.handicap_ranks = *elo::HandicapRanks(game.handicap);
    const RatedPair pair = league.Play(game);
    ASSERT_EQ(CheckGame(Record(game, pair)), "") << i;
  }
  for (const auto& [id, standing] : league.standings()) {
    HistoryFold fold;
    for (const RatingChange& change : league.HistoryOf(id)) ASSERT_EQ(fold.Add(change), "");
    EXPECT_TRUE(fold.standing() == standing) << id;
    EXPECT_EQ(fold.standing().grade_reached_at, standing.grade_reached_at);
  }
}

TEST(FoldTest, GamesOfOtherPlayersMayComeInAnyOrder) {
  // The one independence of order that Elo has: games without a common player.
  const RatedGame ab = Game(1, "a", "b", elo::kWin);
  const RatedGame cd = Game(2, "c", "d", elo::kDraw);
  League one;
  one.Play(ab);
  one.Play(cd);
  League other;
  other.Play(cd);
  other.Play(ab);
  for (const auto& [id, standing] : one.standings()) {
    EXPECT_TRUE(standing == other.standings().at(id)) << id;
  }
}

TEST(FoldTest, EverySpoiltRowIsNoticed) {
  League league;
  for (int i = 0; i < 20; ++i) league.Play(Game(i, "a", "b", i % 3 ? elo::kWin : elo::kLoss));
  const std::vector<RatingChange> sound = league.HistoryOf("a");
  const auto findings = [](const std::vector<RatingChange>& history) {
    HistoryFold fold;
    int found = 0;
    for (const RatingChange& change : history) found += fold.Add(change).empty() ? 0 : 1;
    return found;
  };
  EXPECT_EQ(findings(sound), 0);
  std::vector<std::vector<RatingChange>> spoilt(7, sound);
  spoilt[0].erase(spoilt[0].begin() + 4);             // lost
  spoilt[1].insert(spoilt[1].begin() + 4, sound[4]);  // doubled
  std::swap(spoilt[2][4], spoilt[2][5]);
  spoilt[3][4].side.after.milli_points += 1;
  spoilt[4][4].side.before.milli_points -= 1;
  spoilt[5][4].side.k = 40;
  spoilt[6][4].side.score = elo::Score{750'000};
  for (std::size_t i = 0; i < spoilt.size(); ++i) EXPECT_GT(findings(spoilt[i]), 0) << i;
}

TEST(FoldTest, EverySpoiltGameIsNoticed) {
  League league;
  const RatedGame game = Game(1, "a", "b", elo::kWin);
  const RecordedGame sound = Record(game, league.Play(game));
  EXPECT_EQ(CheckGame(sound), "");
  std::vector<RecordedGame> spoilt(9, sound);
  spoilt[0].changes.pop_back();  // one side only
  spoilt[1].changes.clear();
  spoilt[2].changes[1] = spoilt[2].changes[0];  // the same side twice
  spoilt[3].first_score = elo::kDraw;
  spoilt[4].handicap = "rook";
  spoilt[5].changes[0].side.after.milli_points += 1;
  spoilt[6].changes[1].opponent_id = "c";
  spoilt[7].ended_at += Millis(1);
  spoilt[8].changes[1].side.before.milli_points += 400'000;
  for (std::size_t i = 0; i < spoilt.size(); ++i) EXPECT_NE(CheckGame(spoilt[i]), "") << i;
}

TEST(FoldTest, AGradeIsKeptWithTheDayItWasReached) {
  League league;
  for (int i = 0; i < 18; ++i) league.Play(Game(i, "a", "b", i % 2 ? elo::kLoss : elo::kWin));
  const Standing reached = league.standings().at("a");
  ASSERT_TRUE(reached.grade);
  EXPECT_EQ(reached.grade_reached_at, FromUnixMillis(1'700'000'000'017));
  for (int i = 18; i < 60; ++i) league.Play(Game(i, "a", "b", elo::kLoss));
  const Standing later = league.standings().at("a");
  EXPECT_LT(later.rating, elo::LowerBound(*reached.grade));
  EXPECT_EQ(later.grade, reached.grade);
  EXPECT_EQ(later.grade_reached_at, reached.grade_reached_at);
}

}  // namespace
}  // namespace komadai::rating
