// The matchmaking service over gRPC: the lobby.
#include <gtest/gtest.h>

#include "services/matchmaking/testing/service_fixture.h"

namespace komadai::matchmaking {
namespace {

class LobbyServiceTest : public MatchmakingServiceTest {
 protected:
  void SetUp() override { StartWithoutWaves(); }

  pb::Lobby Lobby(common_pb::Variant variant = common_pb::VARIANT_UNSPECIFIED) {
    time_.now_ms += 1001;  // older than that it is read again
    pb::GetLobbyRequest request;
    request.set_variant(variant);
    return Ok(Nobody(), &Stub::GetLobby, request).lobby();
  }
};

TEST_F(LobbyServiceTest, AnEmptyLobbyHasCountsOfEveryVariant) {
  const pb::Lobby lobby = Lobby();
  EXPECT_EQ(lobby.seeks_size(), 0);
  EXPECT_EQ(lobby.rooms_size(), 0);
  EXPECT_EQ(lobby.waiting(), 0);
  EXPECT_EQ(lobby.at_ms(), time_.now_ms);
  ASSERT_EQ(lobby.variants_size(), 3);
  for (const pb::LobbyVariant& variant : lobby.variants()) {
    EXPECT_EQ(variant.waiting(), 0);
    EXPECT_EQ(variant.live_games(), variant.variant() == common_pb::VARIANT_SHOGI ? 7 : 0);
  }
}

TEST_F(LobbyServiceTest, ItListsSeeksAndRoomsOfTheVariantAskedFor) {
  const pb::Seek ann = Seek("ann");
  time_.now_ms += 1000;
  const pb::Seek bob = Seek("bob");
  pb::CreateSeekRequest mini = SeekRequest();
  *mini.mutable_terms() = Terms(common_pb::VARIANT_MINISHOGI);
  const pb::Seek cat = Seek("cat", mini);
  pb::CreateChallengeRequest room = ChallengeRequest();
  room.set_listed(true);
  const pb::Challenge listed = Challenge("dan", room);
  Challenge("dan", ChallengeRequest("ann", 1));  // not listed

  const pb::Lobby shogi = Lobby(common_pb::VARIANT_SHOGI);
  ASSERT_EQ(shogi.seeks_size(), 2);
  EXPECT_EQ(shogi.seeks(0).seek_id(), ann.seek_id()) << "the longest waiting first";
  EXPECT_EQ(shogi.seeks(1).seek_id(), bob.seek_id());
  EXPECT_EQ(shogi.waiting(), 2);
  ASSERT_EQ(shogi.rooms_size(), 1);
  EXPECT_EQ(shogi.rooms(0).challenge_id(), listed.challenge_id());
  ASSERT_EQ(shogi.variants_size(), 3);

  const pb::Lobby minishogi = Lobby(common_pb::VARIANT_MINISHOGI);
  ASSERT_EQ(minishogi.seeks_size(), 1);
  EXPECT_EQ(minishogi.seeks(0).seek_id(), cat.seek_id());
  EXPECT_EQ(minishogi.rooms_size(), 0);
  EXPECT_EQ(Lobby().waiting(), 3);

  (void)Ok(As("ann"), &Stub::CancelSeek, CancelRequest(ann.seek_id()));
  (void)Ok(As("eve"), &Stub::AcceptChallenge, AcceptRequest(listed.challenge_id()));
  const pb::Lobby later = Lobby(common_pb::VARIANT_SHOGI);
  EXPECT_EQ(later.seeks_size(), 1);
  EXPECT_EQ(later.rooms_size(), 0);
}

TEST_F(LobbyServiceTest, ItIsAtMostASecondOld) {
  pb::GetLobbyRequest request;
  EXPECT_EQ(Ok(Nobody(), &Stub::GetLobby, request).lobby().waiting(), 0);
  Seek("ann");
  time_.now_ms += 1000;
  EXPECT_EQ(Ok(Nobody(), &Stub::GetLobby, request).lobby().waiting(), 0);
  time_.now_ms += 1;
  EXPECT_EQ(Ok(Nobody(), &Stub::GetLobby, request).lobby().waiting(), 1);
}

TEST_F(LobbyServiceTest, ItListsAHundredSeeksAndCountsThemAll) {
  for (int i = 0; i < 102; ++i) Seek("player" + std::to_string(i));
  const pb::Lobby lobby = Lobby();
  EXPECT_EQ(lobby.seeks_size(), 100);
  EXPECT_EQ(lobby.waiting(), 102);
}

TEST_F(LobbyServiceTest, AnUnknownVariantIsRefused) {
  pb::GetLobbyRequest request;
  request.set_variant(static_cast<common_pb::Variant>(9));
  EXPECT_TRUE(
      Refused(Nobody(), &Stub::GetLobby, request, StatusCode::INVALID_ARGUMENT, "INVALID_REQUEST"));
  pb::WatchLobbyRequest watch;
  watch.set_variant(static_cast<common_pb::Variant>(9));
  const Context context = Nobody();
  const auto stream = stub_->WatchLobby(context.get(), watch);
  pb::WatchLobbyResponse news;
  EXPECT_FALSE(stream->Read(&news));
  EXPECT_EQ(rpc::FromGrpcStatus(stream->Finish()).reason(), "INVALID_REQUEST");
}

TEST_F(LobbyServiceTest, AWatcherGetsTheLobbyAndThenWhatChanges) {
  for (const bool changes : {false, true}) {
    const std::string player = changes ? "bob" : "ann";
    pb::WatchLobbyRequest watch;
    watch.set_changes(changes);
    const Context context = Nobody();
    const auto stream = stub_->WatchLobby(context.get(), watch);
    pb::WatchLobbyResponse news;
    ASSERT_TRUE(stream->Read(&news));
    ASSERT_TRUE(news.has_lobby()) << "the first message is the whole lobby";
    const int before = news.lobby().waiting();
    const pb::Seek seek = Seek(player);
    while (stream->Read(&news)) {
      const pb::Lobby& counts = changes ? news.changes().counts() : news.lobby();
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
