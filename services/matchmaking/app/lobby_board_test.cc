#include "services/matchmaking/app/lobby_board.h"

#include <gtest/gtest.h>

#include "services/matchmaking/testing/desks_fixture.h"

namespace komadai::matchmaking {
namespace {

class LobbyTest : public DesksTest {
 protected:
  pb::Lobby Look(common_pb::Variant variant = common_pb::VARIANT_UNSPECIFIED) {
    const Result<LobbyBoard::Message> message = SyncWait(board_.Read(variant, Millis(-1)));
    EXPECT_TRUE(message);
    return message ? (*message)->lobby() : pb::Lobby();
  }

  AttendanceStore attendance_{live_};
  LobbyBoard board_{one_.store, one_.challenge_store, attendance_, games_, time_};
};

TEST_F(LobbyTest, TheFilterComesBeforeTheLimit) {
  for (int i = 0; i < LobbyBoard::kListed + 20; ++i) {
    const std::string id = "shogi" + std::to_string(i);
    ASSERT_TRUE(one_.Seek(id, id));
  }
  Pass(Millis(1));
  ASSERT_TRUE(one_.Seek("mini", "ann", Terms(300000, common_pb::VARIANT_MINISHOGI)));
  const pb::Lobby all = Look();
  EXPECT_EQ(all.seeks_size(), LobbyBoard::kListed);
  EXPECT_EQ(all.waiting(), LobbyBoard::kListed + 21);
  const pb::Lobby mini = Look(common_pb::VARIANT_MINISHOGI);
  ASSERT_EQ(mini.seeks_size(), 1) << "although a hundred others have waited longer";
  EXPECT_EQ(mini.seeks(0).seek_id(), "mini");
  EXPECT_EQ(mini.waiting(), 1);
  EXPECT_EQ(mini.variants(0).waiting(), LobbyBoard::kListed + 20) << "counts of all variants";
}

TEST_F(LobbyTest, WhoIsMatchedIsNotThere) {
  ASSERT_TRUE(one_.Seek("s1", "ann"));
  EXPECT_EQ(Look().seeks_size(), 1);
  ASSERT_TRUE(one_.Seek("s2", "bob"));
  Settle();
  EXPECT_EQ(Look().seeks_size(), 0);
}

TEST_F(LobbyTest, OpenRoomsAreListedAndPrivateOnesAreNot) {
  NewChallenge wish;
  wish.challenger = Person("ann");
  wish.terms = Terms();
  wish.lifetime = Millis(60'000);
  wish.challenge_id = "secret";
  ASSERT_TRUE(SyncWait(one_.challenges.Create(wish)));
  wish.challenge_id = "room";
  wish.listed = true;
  ASSERT_TRUE(SyncWait(one_.challenges.Create(wish)));
  const pb::Lobby lobby = Look();
  ASSERT_EQ(lobby.rooms_size(), 1);
  EXPECT_EQ(lobby.rooms(0).challenge_id(), "room");
  EXPECT_EQ(Look(common_pb::VARIANT_XIANGQI).rooms_size(), 0);
  ASSERT_TRUE(SyncWait(two_.challenges.Accept(two_.Call(), "room", Person("bob"))));
  EXPECT_EQ(Look().rooms_size(), 0);
}

TEST_F(LobbyTest, CountsOfPlayersAndGames) {
  games_.counts[common_pb::VARIANT_XIANGQI] = 7;
  const TimePoint until = time_.Now() + Millis(10'000);
  ASSERT_TRUE(SyncWait(attendance_.Report("one", 3, until)));
  ASSERT_TRUE(SyncWait(attendance_.Report("two", 4, until)));
  ASSERT_TRUE(SyncWait(attendance_.Report("two", 5, until)));
  pb::Lobby lobby = Look();
  EXPECT_EQ(lobby.players_online(), 8);
  ASSERT_EQ(lobby.variants_size(), 3);
  EXPECT_EQ(lobby.variants(2).live_games(), 7);
  games_.down = true;
  Pass(Millis(10'000));
  lobby = Look();
  EXPECT_EQ(lobby.players_online(), 0) << "nobody has said anything for ten seconds";
  EXPECT_EQ(lobby.variants(2).live_games(), 7) << "as it was last known";
}

TEST_F(LobbyTest, OneReadServesAllWhoLookWithinItsAge) {
  ASSERT_TRUE(one_.Seek("s1", "ann"));
  const auto first = SyncWait(board_.Read(common_pb::VARIANT_SHOGI, Millis(1000)));
  ASSERT_TRUE(one_.Seek("s2", "bob"));
  Pass(Millis(1000));
  EXPECT_EQ(*SyncWait(board_.Read(common_pb::VARIANT_SHOGI, Millis(1000))), *first);
  Pass(Millis(1));
  EXPECT_EQ((*SyncWait(board_.Read(common_pb::VARIANT_SHOGI, Millis(1000))))->lobby().seeks_size(),
            2);
}

TEST_F(LobbyTest, OnlyWhatHasChangedIsNews) {
  ASSERT_TRUE(one_.Seek("s1", "ann"));
  ASSERT_TRUE(SyncWait(board_.Refresh()));
  Pass(Millis(1000));
  const auto quiet = SyncWait(board_.Refresh());
  ASSERT_TRUE(quiet);
  for (const bool changed : quiet->changed) EXPECT_FALSE(changed);
  ASSERT_TRUE(one_.Seek("s2", "bob"));
  const auto news = SyncWait(board_.Refresh());
  ASSERT_TRUE(news);
  for (const bool changed : news->changed) EXPECT_TRUE(changed) << "counts of variants are in all";
}

TEST_F(LobbyTest, DifferencesLeadFromOneVersionToTheNext) {
  ASSERT_TRUE(one_.Seek("s1", "ann"));
  ASSERT_TRUE(SyncWait(board_.Refresh()));
  ASSERT_TRUE(one_.Cancel("s1", "ann"));
  ASSERT_TRUE(one_.Seek("s2", "bob"));
  const auto before = SyncWait(board_.Read(common_pb::VARIANT_SHOGI, Millis(1000)));
  const auto news = SyncWait(board_.Refresh());
  ASSERT_TRUE(news);
  const std::size_t shogi = *LobbyBoard::VersionOf(common_pb::VARIANT_SHOGI);
  EXPECT_EQ(news->before[shogi], *before);
  const pb::LobbyChanges& changes = news->differences[shogi]->changes();
  ASSERT_EQ(changes.seeks_added_size(), 1);
  EXPECT_EQ(changes.seeks_added(0).seek_id(), "s2");
  ASSERT_EQ(changes.seeks_removed_size(), 1);
  EXPECT_EQ(changes.seeks_removed(0), "s1");
  EXPECT_EQ(changes.counts().waiting(), 1);
  EXPECT_EQ(changes.counts().variants_size(), 3);
}

TEST_F(LobbyTest, ThereIsNoSuchVariant) {
  const auto message = SyncWait(board_.Read(static_cast<common_pb::Variant>(99), Millis(0)));
  ASSERT_FALSE(message);
  EXPECT_TRUE(message.error().Is(kInvalidRequest));
}

}  // namespace
}  // namespace komadai::matchmaking
