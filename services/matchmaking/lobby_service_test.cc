// The matchmaking service over gRPC: the lobby.
#include <gtest/gtest.h>

#include "services/matchmaking/testing/service_fixture.h"

namespace komadai::matchmaking {
namespace {

class LobbyServiceTest : public MatchmakingServiceTest {
 protected:
  void SetUp() override { StartWithoutWaves(); }

  v1::Lobby Lobby(common::Variant variant = common::VARIANT_UNSPECIFIED) {
    time_.now_ms += 1001;  // older than that it is read again
    v1::GetLobbyRequest request;
    request.set_variant(variant);
    return Ok(Nobody(), &Stub::GetLobby, request).lobby();
  }
};

TEST_F(LobbyServiceTest, AnEmptyLobbyHasCountsOfEveryVariant) {
  const v1::Lobby lobby = Lobby();
  EXPECT_EQ(lobby.seeks_size(), 0);
  EXPECT_EQ(lobby.rooms_size(), 0);
  EXPECT_EQ(lobby.waiting(), 0);
  EXPECT_EQ(lobby.at_ms(), time_.now_ms);
  ASSERT_EQ(lobby.variants_size(), 3);
  for (const v1::LobbyVariant& variant : lobby.variants()) {
    EXPECT_EQ(variant.waiting(), 0);
    EXPECT_EQ(variant.live_games(), variant.variant() == common::VARIANT_SHOGI ? 7 : 0);
  }
}

TEST_F(LobbyServiceTest, ItListsSeeksAndRoomsOfTheVariantAskedFor) {
  const v1::Seek ann = Seek("ann");
  time_.now_ms += 1000;
  const v1::Seek bob = Seek("bob");
  v1::CreateSeekRequest mini = SeekRequest();
  *mini.mutable_terms() = Terms(common::VARIANT_MINISHOGI);
  const v1::Seek cat = Seek("cat", mini);
  v1::CreateChallengeRequest room = ChallengeRequest();
  room.set_listed(true);
  const v1::Challenge listed = Challenge("dan", room);
  Challenge("dan", ChallengeRequest("ann", 1));  // not listed

  const v1::Lobby shogi = Lobby(common::VARIANT_SHOGI);
  ASSERT_EQ(shogi.seeks_size(), 2);
  EXPECT_EQ(shogi.seeks(0).seek_id(), ann.seek_id()) << "the longest waiting first";
  EXPECT_EQ(shogi.seeks(1).seek_id(), bob.seek_id());
  EXPECT_EQ(shogi.waiting(), 2);
  ASSERT_EQ(shogi.rooms_size(), 1);
  EXPECT_EQ(shogi.rooms(0).challenge_id(), listed.challenge_id());
  ASSERT_EQ(shogi.variants_size(), 3);

  const v1::Lobby minishogi = Lobby(common::VARIANT_MINISHOGI);
  ASSERT_EQ(minishogi.seeks_size(), 1);
  EXPECT_EQ(minishogi.seeks(0).seek_id(), cat.seek_id());
  EXPECT_EQ(minishogi.rooms_size(), 0);
  EXPECT_EQ(Lobby().waiting(), 3);

  (void)Ok(As("ann"), &Stub::CancelSeek, CancelRequest(ann.seek_id()));
  (void)Ok(As("eve"), &Stub::AcceptChallenge, AcceptRequest(listed.challenge_id()));
  const v1::Lobby later = Lobby(common::VARIANT_SHOGI);
  EXPECT_EQ(later.seeks_size(), 1);
  EXPECT_EQ(later.rooms_size(), 0);
}

TEST_F(LobbyServiceTest, ItIsAtMostASecondOld) {
  v1::GetLobbyRequest request;
  EXPECT_EQ(Ok(Nobody(), &Stub::GetLobby, request).lobby().waiting(), 0);
  Seek("ann");
  time_.now_ms += 1000;
  EXPECT_EQ(Ok(Nobody(), &Stub::GetLobby, request).lobby().waiting(), 0);
  time_.now_ms += 1;
  EXPECT_EQ(Ok(Nobody(), &Stub::GetLobby, request).lobby().waiting(), 1);
}

TEST_F(LobbyServiceTest, ItListsAHundredSeeksAndCountsThemAll) {
  for (int i = 0; i < 102; ++i) Seek("player" + std::to_string(i));
  const v1::Lobby lobby = Lobby();
  EXPECT_EQ(lobby.seeks_size(), 100);
  EXPECT_EQ(lobby.waiting(), 102);
}

TEST_F(LobbyServiceTest, AnUnknownVariantIsRefused) {
  v1::GetLobbyRequest request;
  request.set_variant(static_cast<common::Variant>(9));
  EXPECT_TRUE(
      Refused(Nobody(), &Stub::GetLobby, request, StatusCode::INVALID_ARGUMENT, "INVALID_REQUEST"));
  v1::WatchLobbyRequest watch;
  watch.set_variant(static_cast<common::Variant>(9));
  const Context context = Nobody();
  const auto stream = stub_->WatchLobby(context.get(), watch);
  v1::WatchLobbyResponse news;
  EXPECT_FALSE(stream->Read(&news));
  EXPECT_EQ(rpc::FromGrpcStatus(stream->Finish()).reason(), "INVALID_REQUEST");
}

TEST_F(LobbyServiceTest, AWatcherGetsTheLobbyAndThenWhatChanges) {
  for (const bool changes : {false, true}) {
    const std::string player = changes ? "bob" : "ann";
    v1::WatchLobbyRequest watch;
    watch.set_changes(changes);
    const Context context = Nobody();
    const auto stream = stub_->WatchLobby(context.get(), watch);
    v1::WatchLobbyResponse news;
    ASSERT_TRUE(stream->Read(&news));
    ASSERT_TRUE(news.has_lobby()) << "the first message is the whole lobby";
    const int before = news.lobby().waiting();
    const v1::Seek seek = Seek(player);
    while (stream->Read(&news)) {
      const v1::Lobby& counts = changes ? news.changes().counts() : news.lobby();
      if (counts.waiting() == before + 1) break;
    }
    EXPECT_EQ(news.has_changes(), changes);
    if (changes) {
      ASSERT_EQ(news.changes().seeks_added_size(), 1);
      EXPECT_EQ(news.changes().seeks_added(0).seek_id(), seek.seek_id());
      EXPECT_EQ(news.changes().counts().seeks_size(), 0);
    }
    context->TryCancel();
    (void)stream->Finish();
  }
}

}  // namespace
}  // namespace komadai::matchmaking
