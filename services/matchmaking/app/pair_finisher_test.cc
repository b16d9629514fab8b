// The queue of the pair finisher and its limits. What becomes of the pairs is in seek_desk_test.cc.
#include <gtest/gtest.h>

#include <deque>

#include "services/matchmaking/testing/desks_fixture.h"

namespace komadai::matchmaking {
namespace {

// A game service whose answers come when the test says so.
class HeldGames final : public GamePort {
 public:
  Task<Result<std::string>> Create(rpc::Call, Match match) override {
    ++asked;
    (void)co_await FromCallback<bool>([this](auto done) { held_.push_back(std::move(done)); });
    co_return "game-of-" + match.match_id;
  }
  Task<Result<game::v1::Game>> Get(rpc::Call, std::string) override {
    co_return Error(kDown, "not asked for here");
  }
  Task<Result<bool>> PlayTogether(rpc::Call, std::string, std::string) override { co_return false; }
  Task<Result<Counts>> CountLive(rpc::Call) override {
    co_return Error(kDown, "not asked for here");
  }
  void AnswerAll() {
    while (!held_.empty()) {
      const std::function<void(bool)> done = std::move(held_.front());
      held_.pop_front();
      done(true);
    }
  }
  int asked = 0;

 private:
  std::deque<std::function<void(bool)>> held_;
};

class PairFinisherTest : public DesksTest {
 protected:
  // Pairs for which nobody has created a game yet.
  std::vector<SeekEntry> Pairs(int count) {
    games_.down = true;
    std::vector<std::string> ids;
    for (int i = 0; i < count; ++i) {
      for (const char* one : {"a", "b"}) {
        const std::string id = one + std::to_string(i);
        EXPECT_TRUE(one_.Seek(id, id));
        ids.push_back(id);
      }
    }
    one_.Wave();
    games_.down = false;
    Result<std::vector<SeekEntry>> loaded = SyncWait(one_.store.LoadAll(ids));
    std::map<std::string, SeekEntry> by_match;
    for (SeekEntry& entry : *loaded) {
      EXPECT_TRUE(IsPaired(entry));
      by_match.emplace(entry.value.pairing().match_id(), std::move(entry));
    }
    std::vector<SeekEntry> pairs;
    for (auto& [match_id, entry] : by_match) pairs.push_back(std::move(entry));
    EXPECT_EQ(pairs.size(), static_cast<std::size_t>(count));
    return pairs;
  }
  pb::SeekState StateAfter(const SeekEntry& entry) {
    return one_.Load(entry.value.seek().seek_id()).state();
  }

  HeldGames held_;
  PairFinisher finisher_{one_.store, held_, time_, one_.metrics, {.running = 1, .queued = 1}};
};

TEST_F(PairFinisherTest, AFullQueueLeavesThePairToTheSweep) {
  const std::vector<SeekEntry> pairs = Pairs(3);
  EXPECT_TRUE(finisher_.Enqueue(pairs[0]));  // runs
  EXPECT_TRUE(finisher_.Enqueue(pairs[1]));  // waits
  EXPECT_FALSE(finisher_.Enqueue(pairs[2]));
  EXPECT_NE(one_.registry.Scrape().find("komadai_matchmaking_queued_pairs 1"), std::string::npos);
  EXPECT_NE(one_.registry.Scrape().find("komadai_matchmaking_postponed_total 1"),
            std::string::npos);
  held_.AnswerAll();
  EXPECT_EQ(held_.asked, 2);
  EXPECT_EQ(StateAfter(pairs[0]), pb::SEEK_STATE_MATCHED);
  EXPECT_EQ(StateAfter(pairs[1]), pb::SEEK_STATE_MATCHED);
  EXPECT_EQ(StateAfter(pairs[2]), pb::SEEK_STATE_PAIRED);
  EXPECT_NE(one_.registry.Scrape().find("komadai_matchmaking_queued_pairs 0"), std::string::npos);

  Pass(Matchmaker::kPairedGrace + Matchmaker::kLease);
  two_.Sweep();
  EXPECT_EQ(StateAfter(pairs[2]), pb::SEEK_STATE_MATCHED);
  EXPECT_EQ(games_.created.size(), 1u) << "the sweep has asked for this one only";
}

TEST_F(PairFinisherTest, APairThatWasNotTakenIsTakenWhenThereIsRoom) {
  const std::vector<SeekEntry> pairs = Pairs(3);
  for (const SeekEntry& pair : pairs) (void)finisher_.Enqueue(pair);
  held_.AnswerAll();
  EXPECT_TRUE(finisher_.Enqueue(pairs[2]));
  held_.AnswerAll();
  EXPECT_EQ(StateAfter(pairs[2]), pb::SEEK_STATE_MATCHED);
}

TEST_F(PairFinisherTest, APairInHandTakesNoSecondPlace) {
  const std::vector<SeekEntry> pairs = Pairs(2);
  EXPECT_TRUE(finisher_.Enqueue(pairs[0]));
  EXPECT_TRUE(finisher_.Enqueue(pairs[0]));
  EXPECT_TRUE(finisher_.Enqueue(pairs[1]));
  EXPECT_TRUE(finisher_.Enqueue(pairs[1]));
  held_.AnswerAll();
  EXPECT_EQ(held_.asked, 2);
}

}  // namespace
}  // namespace komadai::matchmaking
