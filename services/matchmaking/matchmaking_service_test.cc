// The matchmaking service over gRPC: seeks.
#include <gtest/gtest.h>

#include <functional>

#include "libs/base/sync_wait.h"
#include "services/matchmaking/testing/service_fixture.h"

namespace komadai::matchmaking {
namespace {

using SeekServiceTest = MatchmakingServiceTest;

TEST_F(SeekServiceTest, ASeekWaitsAndSaysWhatItWants) {
  StartWithoutWaves();
  pb::CreateSeekRequest request = SeekRequest();
  request.set_rating_range(200);
  request.set_side(pb::SIDE_WISH_SECOND);
  const pb::Seek seek = Seek("ann", request);
  EXPECT_FALSE(seek.seek_id().empty());
  EXPECT_EQ(seek.state(), pb::SEEK_STATE_WAITING);
  EXPECT_EQ(seek.player().player_id(), "ann");
  EXPECT_EQ(seek.player().rating(), 1500);
  EXPECT_EQ(seek.rating_range(), 200);
  EXPECT_EQ(seek.side_wish(), pb::SIDE_WISH_SECOND);
  EXPECT_EQ(seek.created_at_ms(), time_.now_ms);
  EXPECT_EQ(seek.terms().time_control().first().main_ms(), 300'000);
}

TEST_F(SeekServiceTest, CreatingIsIdempotentByRequestId) {
  StartWithoutWaves();
  const pb::Seek seek = Seek("ann");
  EXPECT_EQ(Seek("ann").seek_id(), seek.seek_id());
  pb::CreateSeekRequest other = SeekRequest();
  other.set_confirm(true);
  EXPECT_TRUE(Refused(As("ann"), &Stub::CreateSeek, other, StatusCode::INVALID_ARGUMENT,
                      "REQUEST_ID_REUSED"));
  EXPECT_TRUE(Refused(As("ann"), &Stub::CreateSeek, SeekRequest("request-2"),
                      StatusCode::FAILED_PRECONDITION, "ALREADY_SEEKING"));
  EXPECT_EQ(last_error_->metadata().at("seek"), seek.seek_id());
}

TEST_F(SeekServiceTest, TwoSeeksBecomeAGame) {
  const pb::Seek ann = Seek("ann");
  const pb::Seek bob = Seek("bob");
  const pb::Seek matched = Await("ann", ann.seek_id(), pb::SEEK_STATE_MATCHED);
  EXPECT_EQ(matched.opponent().player_id(), "bob");
  EXPECT_EQ(Await("bob", bob.seek_id(), pb::SEEK_STATE_MATCHED).game_id(), matched.game_id());
  const game::v1::Game game = game_.Get(matched.game_id());
  EXPECT_EQ(matched.side() == common_pb::SIDE_FIRST ? game.first().player_id()
                                                    : game.second().player_id(),
            "ann");
  EXPECT_EQ(Ok(As("ann"), &Stub::CancelSeek, CancelRequest(ann.seek_id())).seek().state(),
            pb::SEEK_STATE_MATCHED)
      << "the pairing came first";
}

TEST_F(SeekServiceTest, TheComputerStandsInAfterTheTimeAskedFor) {
  pb::CreateSeekRequest request = SeekRequest();
  request.mutable_computer_fallback()->set_after_seconds(5);
  request.mutable_computer_fallback()->set_level(common_pb::COMPUTER_LEVEL_HARD);
  const pb::Seek seek = Seek("ann", request);
  time_.now_ms += 5000;
  const pb::Seek matched = Await("ann", seek.seek_id(), pb::SEEK_STATE_MATCHED);
  EXPECT_EQ(matched.opponent().kind(), common_pb::PLAYER_KIND_COMPUTER);
  EXPECT_EQ(matched.opponent().level(), common_pb::COMPUTER_LEVEL_HARD);
}

TEST_F(SeekServiceTest, ACancelledSeekIsClosedForGood) {
  StartWithoutWaves();
  const pb::Seek seek = Seek("ann");
  const pb::CancelSeekRequest request = CancelRequest(seek.seek_id());
  EXPECT_TRUE(
      Refused(As("bob"), &Stub::CancelSeek, request, StatusCode::PERMISSION_DENIED, "NOT_YOURS"));
  EXPECT_EQ(Ok(As("ann"), &Stub::CancelSeek, request).seek().state(), pb::SEEK_STATE_CANCELLED);
  EXPECT_EQ(Ok(As("ann"), &Stub::CancelSeek, request).seek().state(), pb::SEEK_STATE_CANCELLED);
  EXPECT_NE(Seek("ann", SeekRequest("request-2")).seek_id(), seek.seek_id());
}

TEST_F(SeekServiceTest, AnUnwatchedSeekExpires) {
  const pb::Seek seek = Seek("ann");
  time_.now_ms += 30'001;
  // Not watched, which would keep it: asked for until the sweep has come.
  pb::Seek now = seek;
  while (now.state() == pb::SEEK_STATE_WAITING) now = Seek("ann");
  EXPECT_EQ(now.state(), pb::SEEK_STATE_EXPIRED);
}

TEST_F(SeekServiceTest, AnOfferIsAcceptedOrDeclined) {
  pb::CreateSeekRequest asks = SeekRequest();
  asks.set_confirm(true);
  const pb::Seek ann = Seek("ann", asks);
  const pb::Seek bob = Seek("bob");
  const pb::Seek offered = Await("ann", ann.seek_id(), pb::SEEK_STATE_OFFERED);
  pb::AnswerMatchRequest answer;
  answer.set_seek_id(ann.seek_id());
  answer.set_match_id("another");
  answer.set_accept(true);
  EXPECT_TRUE(
      Refused(As("ann"), &Stub::AnswerMatch, answer, StatusCode::FAILED_PRECONDITION, "NO_OFFER"));
  answer.set_match_id(offered.match_id());
  EXPECT_TRUE(
      Refused(As("bob"), &Stub::AnswerMatch, answer, StatusCode::PERMISSION_DENIED, "NOT_YOURS"));
  answer.set_accept(false);
  EXPECT_EQ(Ok(As("ann"), &Stub::AnswerMatch, answer).seek().state(), pb::SEEK_STATE_CANCELLED);
  EXPECT_EQ(Await("bob", bob.seek_id(), pb::SEEK_STATE_WAITING).match_id(), "");

  const pb::Seek cat = Seek("cat", asks);
  answer.set_seek_id(cat.seek_id());
  answer.set_match_id(Await("cat", cat.seek_id(), pb::SEEK_STATE_OFFERED).match_id());
  answer.set_accept(true);
  (void)Ok(As("cat"), &Stub::AnswerMatch, answer);
  EXPECT_EQ(Await("bob", bob.seek_id(), pb::SEEK_STATE_MATCHED).opponent().player_id(), "cat");
}

TEST_F(SeekServiceTest, WhoHasTooManyGamesIsToldSo) {
  constexpr Reason kTooMany{Code::kResourceExhausted, "TOO_MANY_GAMES"};
  game_.Refuse(&kTooMany, "ann");
  const pb::Seek ann = Seek("ann");
  const pb::Seek bob = Seek("bob");
  EXPECT_EQ(Await("ann", ann.seek_id(), pb::SEEK_STATE_CANCELLED).refused(), "TOO_MANY_GAMES");
  EXPECT_EQ(Await("bob", bob.seek_id(), pb::SEEK_STATE_WAITING).refused(), "");
}

TEST_F(SeekServiceTest, WhoLeavesGamesCoolsDown) {
  for (int game = 0; game < 3; ++game) {
    const std::string request_id = "request-" + std::to_string(game);
    const std::string opponent = "opponent" + std::to_string(game);
    const pb::Seek ann = Seek("ann", SeekRequest(request_id));
    Seek(opponent, SeekRequest(request_id));
    const pb::Seek matched = Await("ann", ann.seek_id(), pb::SEEK_STATE_MATCHED);
    game::v1::Game aborted = game_.Get(matched.game_id());
    aborted.mutable_result()->set_ending(common_pb::ENDING_ABORTED);
    aborted.set_aborted_by(matched.side());
    aborted.set_ended_at_ms(time_.now_ms);
    game_.Change(matched.game_id(), aborted);
  }
  EXPECT_TRUE(Refused(As("ann"), &Stub::CreateSeek, SeekRequest("request-9"),
                      StatusCode::RESOURCE_EXHAUSTED, "COOLING_DOWN"));
  EXPECT_EQ(last_error_->metadata().at("retry_after_ms"), "60000");
  EXPECT_EQ(last_error_->metadata().at("until_ms"), std::to_string(time_.now_ms + 60'000));
  time_.now_ms += 60'000;
  EXPECT_EQ(Seek("ann", SeekRequest("request-9")).state(), pb::SEEK_STATE_WAITING);
}

TEST_F(SeekServiceTest, MalformedSeeksAreRefused) {
  const auto refused = [this](const std::string& reason,
                              const std::function<void(pb::CreateSeekRequest&)>& spoil) {
    pb::CreateSeekRequest request = SeekRequest();
    spoil(request);
    return Refused(As("ann"), &Stub::CreateSeek, request, StatusCode::INVALID_ARGUMENT, reason);
  };
  EXPECT_TRUE(refused("BAD_REQUEST_ID", [](auto& r) { r.set_request_id("short"); }));
  EXPECT_TRUE(refused("INVALID_REQUEST", [](auto& r) { r.set_rating_range(4001); }));
  EXPECT_TRUE(refused("INVALID_REQUEST", [](auto& r) { r.set_first_rating_range(-1); }));
  EXPECT_TRUE(refused("INVALID_REQUEST", [](auto& r) { r.set_exclude_last_opponents(11); }));
  EXPECT_TRUE(
      refused("INVALID_REQUEST", [](auto& r) { r.set_side(static_cast<pb::SideWish>(9)); }));
  EXPECT_TRUE(refused("INVALID_REQUEST",
                      [](auto& r) { r.mutable_computer_fallback()->set_after_seconds(4); }));
  EXPECT_TRUE(refused("INVALID_REQUEST", [](auto& r) {
    for (int i = 0; i < 6; ++i) *r.add_other_time_controls() = r.terms().time_control();
  }));
  EXPECT_TRUE(refused("INVALID_TERMS", [](auto& r) { r.mutable_terms()->clear_time_control(); }));
  EXPECT_TRUE(refused("UNKNOWN_VARIANT",
                      [](auto& r) { r.mutable_terms()->mutable_setup()->clear_variant(); }));
  EXPECT_TRUE(refused("MAIN_TIME_OUT_OF_RANGE", [](auto& r) {
    r.mutable_terms()->mutable_time_control()->mutable_first()->set_main_ms(-1);
  }));
}

TEST_F(SeekServiceTest, OnlyThoseWhoMaySeekDo) {
  pb::CreateSeekRequest rated = SeekRequest();
  rated.mutable_terms()->set_rated(true);
  EXPECT_TRUE(Refused(Nobody(), &Stub::CreateSeek, SeekRequest(), StatusCode::UNAUTHENTICATED,
                      "UNAUTHENTICATED"));
  EXPECT_TRUE(Refused(Guest("gus"), &Stub::CreateSeek, rated, StatusCode::PERMISSION_DENIED,
                      "VERIFIED_ACCOUNT_NEEDED"));
  EXPECT_EQ(Ok(Guest("gus"), &Stub::CreateSeek, SeekRequest()).seek().player().kind(),
            common_pb::PLAYER_KIND_GUEST);
}

TEST_F(SeekServiceTest, WithoutTheRatingServiceOnlyCasualSeeksAreTaken) {
  StartWithoutWaves();
  rating_.SetDown(true);
  pb::CreateSeekRequest rated = SeekRequest();
  rated.mutable_terms()->set_rated(true);
  pb::CreateSeekResponse response;
  const grpc::Status status = stub_->CreateSeek(As("ann").get(), rated, &response);
  EXPECT_EQ(status.error_code(), StatusCode::UNAVAILABLE);
  EXPECT_EQ(Seek("bob").player().rating(), 0);
}

TEST_F(SeekServiceTest, UnknownSeeksAreNotFound) {
  for (const auto& [seek_id, code, reason] :
       {std::tuple("", StatusCode::INVALID_ARGUMENT, "INVALID_REQUEST"),
        std::tuple("nothing", StatusCode::NOT_FOUND, "SEEK_NOT_FOUND")}) {
    EXPECT_TRUE(Refused(As("ann"), &Stub::CancelSeek, CancelRequest(seek_id), code, reason));
    pb::AnswerMatchRequest answer;
    answer.set_seek_id(seek_id);
    answer.set_match_id("match");
    EXPECT_TRUE(Refused(As("ann"), &Stub::AnswerMatch, answer, code, reason));
    pb::WatchSeekRequest watch;
    watch.set_seek_id(seek_id);
    const Context context = As("ann");
    const auto stream = stub_->WatchSeek(context.get(), watch);
    pb::WatchSeekResponse news;
    EXPECT_FALSE(stream->Read(&news));
    EXPECT_EQ(rpc::FromGrpcStatus(stream->Finish()).reason(), reason);
  }
  pb::AnswerMatchRequest no_match;
  no_match.set_seek_id("nothing");
  EXPECT_TRUE(Refused(As("ann"), &Stub::AnswerMatch, no_match, StatusCode::INVALID_ARGUMENT,
                      "INVALID_REQUEST"));
}

TEST_F(SeekServiceTest, AWatchedSeekSaysWhereItStands) {
  StartWithoutWaves();
  Seek("ann");
  time_.now_ms += 1000;
  const pb::Seek bob = Seek("bob");
  pb::WatchSeekRequest request;
  request.set_seek_id(bob.seek_id());
  const Context context = As("bob");
  const auto stream = stub_->WatchSeek(context.get(), request);
  pb::WatchSeekResponse news;
  while (news.position() == 0 && stream->Read(&news)) {
  }
  EXPECT_EQ(news.position(), 2) << "ann has waited longer";
  EXPECT_EQ(news.waiting(), 2);
  EXPECT_EQ(news.rating_window(), 100);
  context->TryCancel();
  (void)stream->Finish();
}

TEST_F(SeekServiceTest, ACorruptSeekIsReported) {
  StartWithoutWaves();
  livestore::Transaction transaction;
  transaction.partition = "queue";
  livestore::Change& change = transaction.changes.emplace_back();
  change.name = "seek/corrupt";
  change.expected_version = livestore::kAnyVersion;
  change.put_body = "\xFF";
  ASSERT_TRUE(SyncWait(memory_.Commit(std::move(transaction))));
  EXPECT_TRUE(Refused(As("ann"), &Stub::CancelSeek, CancelRequest("corrupt"), StatusCode::DATA_LOSS,
                      "CORRUPT_ENTRY"));
}

TEST_F(SeekServiceTest, AStoreThatIsAwayOrInContentionIsReported) {
  StartWithoutWaves();
  const pb::Seek seek = Seek("ann");
  fault_ = livestore::Fault::kUnavailable;
  pb::CancelSeekResponse response;
  const grpc::Status away =
      stub_->CancelSeek(As("ann").get(), CancelRequest(seek.seek_id()), &response);
  EXPECT_EQ(away.error_code(), StatusCode::UNAVAILABLE);
  fault_ = livestore::Fault::kConflict;
  EXPECT_TRUE(Refused(As("ann"), &Stub::CancelSeek, CancelRequest(seek.seek_id()),
                      StatusCode::ABORTED, "CONTENTION"));
  EXPECT_TRUE(
      Refused(As("bob"), &Stub::CreateSeek, SeekRequest(), StatusCode::ABORTED, "CONTENTION"));
  fault_ = livestore::Fault::kNone;
  EXPECT_EQ(Ok(As("ann"), &Stub::CancelSeek, CancelRequest(seek.seek_id())).seek().state(),
            pb::SEEK_STATE_CANCELLED);
}

}  // namespace
}  // namespace komadai::matchmaking
