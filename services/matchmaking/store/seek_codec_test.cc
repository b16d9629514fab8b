#include "services/matchmaking/store/seek_codec.h"

#include <gtest/gtest.h>

#include "services/matchmaking/app/pools.h"
#include "services/matchmaking/app/seeks.h"
#include "services/matchmaking/testing/fakes.h"

namespace komadai::matchmaking {
namespace {

constexpr TimePoint kNow = TimePoint(Millis(1'700'000'000'000));

// Plays at five or ten minutes, rather at five.
SeekEntry Waiting(const std::string& id, bool confirm = false) {
  SeekEntry entry;
  entry.version = 1;
  pb::Seek& seek = *entry.value.mutable_seek();
  seek.set_seek_id(id);
  *seek.mutable_player() = Person("player of " + id);
  *seek.mutable_terms() = Terms(300'000);
  *seek.add_other_time_controls() = Terms(600'000).time_control();
  seek.set_created_at_ms(ToUnixMillis(kNow));
  entry.value.add_pools(PoolOf(seek.terms(), seek.terms().time_control()));
  entry.value.add_pools(PoolOf(seek.terms(), seek.other_time_controls(0)));
  entry.value.set_confirm(confirm);
  Write(Seek{.seek_id = id, .confirm = confirm}, entry.value);
  return entry;
}

TEST(SeekCodecTest, ASeekComesBackAsItWasWritten) {
  Seek seek;
  seek.seek_id = "s1";
  seek.confirm = true;
  seek.state = SeekState::kOffered;
  seek.match_id = "m";
  seek.other_seek_id = "s2";
  seek.side = Side::kSecond;
  seek.paired_at = kNow;
  seek.answer_by = kNow + kAnswerTime;
  seek.accepted = true;
  seek.game_id = "game";
  seek.refused = "REASON";
  SeekEntry entry = Waiting("s1", true);
  WritePaired(seek, {}, entry.value);
  EXPECT_EQ(SeekOf(entry.value), seek);
}

TEST(SeekCodecTest, AnEntryThatDoesNotExistIsInNoState) {
  EXPECT_EQ(SeekStateOf(SeekEntry()), SeekState::kUnspecified);
  EXPECT_EQ(SeekStateOf(Waiting("s1")), SeekState::kWaiting);
}

TEST(SeekCodecTest, TheSeekShowsWhomAndWhatItFound) {
  SeekEntry a = Waiting("s1");
  SeekEntry b = Waiting("s2");
  SeededRandom random(1);
  const std::string& pool = a.value.pools(1);
  ASSERT_TRUE(Join(a, b, PoolNumber(pool), "m", random, kNow));
  EXPECT_EQ(a.value.seek().opponent().player_id(), "player of s2");
  EXPECT_EQ(b.value.seek().opponent().player_id(), "player of s1");
  EXPECT_NE(a.value.seek().side(), b.value.seek().side());
  EXPECT_EQ(a.value.seek().terms().time_control().first().main_ms(), 600'000);
  EXPECT_EQ(a.value.pairing().other_seek_id(), "s2");
  EXPECT_EQ(b.value.pairing().match_id(), "m");
  EXPECT_FALSE(Join(a, b, PoolNumber(pool), "n", random, kNow)) << "they no longer wait";
}

TEST(SeekCodecTest, ASeekThatWaitsAgainIsStoredAsIfNothingHadBeenFound) {
  for (const bool confirm : {false, true}) {
    SeekEntry a = Waiting("s1", confirm);
    SeekEntry b = Waiting("s2");
    const std::string before = b.value.SerializeAsString();
    SeededRandom random(1);
    ASSERT_TRUE(Join(a, b, PoolNumber(a.value.pools(1)), "m", random, kNow));
    const Seek found = SeekOf(b.value);
    const auto returned = confirm ? EndOffer(found, kNow + kAnswerTime) : ReturnToQueue(found, "m");
    ASSERT_TRUE(returned);
    Write(*returned, b.value);
    EXPECT_EQ(b.value.SerializeAsString(), before);
  }
}

TEST(SeekCodecTest, AClosedSeekKeepsNoPair) {
  SeekEntry a = Waiting("s1", true);
  SeekEntry b = Waiting("s2");
  SeededRandom random(1);
  ASSERT_TRUE(Join(a, b, PoolNumber(a.value.pools(0)), "m", random, kNow));
  const auto left = DeclineOffer(SeekOf(a.value), SeekOf(b.value));
  ASSERT_TRUE(left);
  Write(left->own, a.value);
  EXPECT_FALSE(a.value.has_pairing());
  EXPECT_EQ(a.value.seek().state(), pb::SEEK_STATE_CANCELLED);
  EXPECT_EQ(a.value.seek().match_id(), "m");
}

}  // namespace
}  // namespace komadai::matchmaking
