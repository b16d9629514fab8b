// What players and watchers see over gRPC, each connected to a different process.
#include <functional>

#include "tests/matchmaking/processes.h"

namespace komadai::matchmaking {
namespace {

class MatchStreamsTest : public MatchProcessesTest {
 protected:
  using SeekNews = pb::WatchSeekResponse;
  // Watches a seek until the news are as wanted, and then cancels the stream.
  SeekNews WatchUntil(int server, const std::string& player, const std::string& seek_id,
                      const std::function<bool(const SeekNews&)>& wanted) {
    pb::WatchSeekRequest request;
    request.set_seek_id(seek_id);
    const auto context = As(player);
    const auto stream = Stub(server).WatchSeek(context.get(), request);
    SeekNews news;
    bool found = false;
    while (!found && stream->Read(&news)) found = wanted(news);
    EXPECT_TRUE(found) << "the stream ended before";
    context->TryCancel();
    (void)stream->Finish();
    return news;
  }
};

TEST_F(MatchStreamsTest, ASeekIsToldItsPlaceAndSurvivesAReconnectElsewhere) {
  pb::CreateSeekRequest apart = SeekRequest("ann");
  apart.set_side(pb::SIDE_WISH_FIRST);
  const std::string ann = Seek(0, "ann", apart);
  pb::CreateSeekRequest also_apart = SeekRequest("bob");
  also_apart.set_side(pb::SIDE_WISH_FIRST);  // so that the two do not meet
  const std::string bob = Seek(1, "bob", also_apart);
  const SeekNews first =
      WatchUntil(2, "bob", bob, [](const SeekNews& news) { return news.position() == 2; });
  EXPECT_EQ(first.waiting(), 2);
  EXPECT_GE(first.rating_window(), 100);
  const SeekNews again = WatchUntil(0, "bob", bob, [&first](const SeekNews& news) {
    return news.rating_window() > first.rating_window();
  });
  EXPECT_EQ(again.seek().state(), pb::SEEK_STATE_WAITING);
  EXPECT_EQ(again.seek().created_at_ms(), first.seek().created_at_ms());
  Seek(1, "cat");
  EXPECT_EQ(Follow(2, "ann").state(), pb::SEEK_STATE_MATCHED) << "the longest waiting";
  EXPECT_EQ(Follow(0, "cat").opponent().player_id(), "ann");
}

TEST_F(MatchStreamsTest, AnOfferIsAcceptedBeforeTheGameBegins) {
  pb::CreateSeekRequest asks = SeekRequest("ann");
  asks.set_confirm(true);
  const std::string ann = Seek(0, "ann", asks);
  Seek(1, "bob");
  const SeekNews offer = WatchUntil(2, "ann", ann, [](const SeekNews& news) {
    return news.seek().state() == pb::SEEK_STATE_OFFERED;
  });
  EXPECT_EQ(offer.seek().opponent().player_id(), "bob");
  EXPECT_TRUE(book_.games().empty());
  pb::AnswerMatchRequest answer;
  answer.set_seek_id(ann);
  answer.set_match_id(offer.seek().match_id());
  answer.set_accept(true);
  pb::AnswerMatchResponse answered;
  const auto context = As("ann");
  const grpc::Status status = Stub(1).AnswerMatch(context.get(), answer, &answered);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(Follow(0, "ann").state(), pb::SEEK_STATE_MATCHED);
  EXPECT_EQ(Follow(0, "bob").state(), pb::SEEK_STATE_MATCHED);
  EXPECT_EQ(book_.games().size(), 1u);
}

TEST_F(MatchStreamsTest, TheLobbyShowsAtEveryReplicaWhatHappensAtOne) {
  pb::WatchLobbyRequest request;
  request.set_variant(common_pb::VARIANT_SHOGI);
  const auto context = As("watcher");
  const auto stream = Stub(2).WatchLobby(context.get(), request);
  pb::WatchLobbyResponse news;
  ASSERT_TRUE(stream->Read(&news));
  EXPECT_EQ(news.lobby().seeks_size(), 0);

  const std::string seek_of_ann = Seek(0, "ann");
  pb::CreateChallengeRequest room;
  room.set_request_id("a-room-of-twenty-characters");
  *room.mutable_terms() = SeekRequest("bob").terms();
  room.set_listed(true);
  pb::CreateChallengeResponse created;
  const auto creating = As("bob");
  ASSERT_TRUE(Stub(1).CreateChallenge(creating.get(), room, &created).ok());
  while (news.lobby().seeks_size() != 1 || news.lobby().rooms_size() != 1) {
    ASSERT_TRUE(stream->Read(&news)) << stream->Finish().error_message();
  }
  EXPECT_EQ(news.lobby().seeks(0).player().player_id(), "ann");
  EXPECT_EQ(news.lobby().rooms(0).challenge_id(), created.challenge().challenge_id());
  EXPECT_EQ(news.lobby().waiting(), 1);

  request.set_changes(true);
  const auto changes_context = As("watcher");
  const auto changes = Stub(0).WatchLobby(changes_context.get(), request);
  pb::WatchLobbyResponse change;
  ASSERT_TRUE(changes->Read(&change));
  EXPECT_EQ(change.lobby().seeks_size(), 1) << "the whole lobby first";

  Seek(1, "cat");
  while (news.lobby().seeks_size() != 0) {
    ASSERT_TRUE(stream->Read(&news)) << stream->Finish().error_message();
  }
  // The new seek may have been listed for a moment. In the end ann's seek is no longer listed.
  bool gone = false;
  while (!gone) {
    ASSERT_TRUE(changes->Read(&change)) << changes->Finish().error_message();
    ASSERT_TRUE(change.has_changes());
    for (const std::string& id : change.changes().seeks_removed()) {
      gone |= id == seek_of_ann;
    }
  }
  for (const auto& one : {context.get(), changes_context.get()}) one->TryCancel();
  (void)stream->Finish();
  (void)changes->Finish();
}

}  // namespace
}  // namespace komadai::matchmaking
