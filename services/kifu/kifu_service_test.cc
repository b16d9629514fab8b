// The kifu service over gRPC, on every database it runs on: storing, reading, searching, exploring.
#include <functional>
#include <utility>

#include "libs/base/sync_wait.h"
#include "services/kifu/store/kifu_store.h"
#include "services/kifu/testing/kifu_service_fixture.h"

namespace komadai::kifu {
namespace {

INSTANTIATE_TEST_SUITE_P(Backends, KifuServiceTest,
                         ::testing::ValuesIn(sql::testing::AllBackends()),
                         sql::testing::BackendName);

using Names = std::vector<std::string>;

// StoreKifu and GetKifu

TEST_P(KifuServiceTest, AStoredGameIsReadByEitherId) {
  const pb::StoreKifuRequest game = Game(1);
  const std::string kifu_id = Store(game);
  pb::GetKifuRequest by_kifu;
  by_kifu.set_kifu_id(kifu_id);
  pb::GetKifuRequest by_game;
  by_game.set_game_id("game1");
  for (const pb::GetKifuRequest& request : {by_kifu, by_game}) {
    pb::GetKifuResponse response;
    ASSERT_TRUE(Call(Nobody(), &Stub::GetKifu, request, &response).ok());
    EXPECT_EQ(response.kifu().kifu_id(), kifu_id);
    EXPECT_EQ(response.kifu().game_id(), "game1");
    EXPECT_EQ(response.kifu().record().SerializeAsString(), game.record().SerializeAsString());
    EXPECT_GT(response.kifu().stored_at_ms(), kEndedMs);
  }
}

TEST_P(KifuServiceTest, StoringIsIdempotentByGameId) {
  const std::string kifu_id = Store(Game(1));
  EXPECT_EQ(Store(Game(1)), kifu_id);
  pb::StoreKifuRequest other = Game(1);
  other.mutable_record()->mutable_result()->set_outcome(common_pb::OUTCOME_DRAW);
  EXPECT_TRUE(Refused(Service(), &Stub::StoreKifu, other, StatusCode::ALREADY_EXISTS,
                      "GAME_STORED_DIFFERENTLY"));
  EXPECT_EQ(Search({}).kifus_size(), 1);
}

TEST_P(KifuServiceTest, OnlyServicesStoreGames) {
  EXPECT_TRUE(Refused(Player(), &Stub::StoreKifu, Game(1), StatusCode::PERMISSION_DENIED,
                      "PERMISSION_DENIED"));
  EXPECT_TRUE(
      Refused(Nobody(), &Stub::StoreKifu, Game(1), StatusCode::UNAUTHENTICATED, "UNAUTHENTICATED"));
}

TEST_P(KifuServiceTest, MalformedGamesAreNotStored) {
  pb::StoreKifuRequest request = Game(1);
  for (const std::string& id : {std::string(), std::string(65, 'g')}) {
    request.set_game_id(id);
    EXPECT_TRUE(Refused(Service(), &Stub::StoreKifu, request, StatusCode::INVALID_ARGUMENT,
                        "INVALID_REQUEST"));
  }
  request = Game(1);
  request.mutable_record()->mutable_setup()->set_variant(common_pb::VARIANT_UNSPECIFIED);
  EXPECT_TRUE(Refused(Service(), &Stub::StoreKifu, request, StatusCode::INVALID_ARGUMENT,
                      "UNKNOWN_VARIANT"));
  request = Game(1);
  request.mutable_record()->mutable_moves(1)->set_move("no move");
  EXPECT_TRUE(
      Refused(Service(), &Stub::StoreKifu, request, StatusCode::INVALID_ARGUMENT, "INVALID_MOVE"));
  request = Game(1);
  for (int i = 0; i < 10'000; ++i) request.mutable_record()->add_moves()->set_move("7g7f");
  EXPECT_TRUE(Refused(Service(), &Stub::StoreKifu, request, StatusCode::INVALID_ARGUMENT,
                      "INVALID_RECORD"));
  EXPECT_EQ(Search({}).kifus_size(), 0);
}

TEST_P(KifuServiceTest, AnIllegalMoveIsNamedByItsPly) {
  pb::StoreKifuRequest request = Game(1);
  request.mutable_record()->mutable_moves(1)->set_move("3c3f");
  pb::StoreKifuResponse response;
  const grpc::Status status = Call(Service(), &Stub::StoreKifu, request, &response);
  const Error error = rpc::FromGrpcStatus(status);
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(error.metadata().at("ply"), "2");
  EXPECT_EQ(error.metadata().at("move"), "3c3f");
}

TEST_P(KifuServiceTest, WhatIsNotInTheArchiveIsNotFound) {
  pb::GetKifuRequest request;
  EXPECT_TRUE(
      Refused(Nobody(), &Stub::GetKifu, request, StatusCode::INVALID_ARGUMENT, "INVALID_REQUEST"));
  request.set_kifu_id(std::string(65, 'k'));
  EXPECT_TRUE(
      Refused(Nobody(), &Stub::GetKifu, request, StatusCode::INVALID_ARGUMENT, "INVALID_REQUEST"));
  request.set_kifu_id("nothing");
  EXPECT_TRUE(Refused(Nobody(), &Stub::GetKifu, request, StatusCode::NOT_FOUND, "KIFU_NOT_FOUND"));
  request.set_game_id("nothing");
  EXPECT_TRUE(Refused(Nobody(), &Stub::GetKifu, request, StatusCode::NOT_FOUND, "KIFU_NOT_FOUND"));
}

TEST_P(KifuServiceTest, ACorruptRecordIsReported) {
  const SystemTimeSource time;
  KifuStore store(database_, time);
  Entry entry;
  entry.kifu_id = "corrupt";
  entry.record = "\xFF";
  entry.ended_at = entry.stored_at = time.Now();
  std::vector<Entry> entries{entry};
  ASSERT_TRUE(SyncWait(store.Put(std::move(entries), time.Now() + Millis(10'000))));
  pb::GetKifuRequest request;
  request.set_kifu_id("corrupt");
  EXPECT_TRUE(
      Refused(Nobody(), &Stub::GetKifu, request, StatusCode::INVALID_ARGUMENT, "INVALID_RECORD"));
}

// SearchKifu

TEST_P(KifuServiceTest, PagesAreNewestFirstWithoutGapOrRepeat) {
  StoreGames(5);
  pb::SearchKifuRequest request;
  request.set_page_size(2);
  Names found;
  int pages = 0;
  for (;; ++pages) {
    const pb::SearchKifuResponse page = Search(request);
    for (const pb::KifuSummary& kifu : page.kifus()) found.push_back(kifu.game_id());
    if (page.next_page_token().empty()) break;
    EXPECT_EQ(page.kifus_size(), 2);
    request.set_page_token(page.next_page_token());
  }
  EXPECT_EQ(pages, 2);
  EXPECT_EQ(found, (Names{"game4", "game3", "game2", "game1", "game0"}));
}

TEST_P(KifuServiceTest, ASummarySaysWhatTheGameWas) {
  const std::string kifu_id = Store(Game(2));
  const pb::SearchKifuResponse page = Search({});
  ASSERT_EQ(page.kifus_size(), 1);
  const pb::KifuSummary& kifu = page.kifus(0);
  EXPECT_EQ(kifu.kifu_id(), kifu_id);
  EXPECT_EQ(kifu.game_id(), "game2");
  EXPECT_EQ(kifu.variant(), common_pb::VARIANT_SHOGI);
  EXPECT_EQ(kifu.first_name(), "Ann");
  EXPECT_EQ(kifu.second_name(), "Bob");
  EXPECT_EQ(kifu.result().outcome(), common_pb::OUTCOME_FIRST_WINS);
  EXPECT_EQ(kifu.result().ending(), common_pb::ENDING_RESIGNATION);
  EXPECT_EQ(kifu.result().plies(), 2);
  EXPECT_TRUE(kifu.rated());
  EXPECT_EQ(kifu.ended_at_ms(), kEndedMs + 2000);
}

TEST_P(KifuServiceTest, EveryConditionNarrowsTheSearch) {
  StoreGames(4);
  pb::StoreKifuRequest minishogi = Game(4);
  minishogi.mutable_record()->mutable_setup()->set_variant(common_pb::VARIANT_MINISHOGI);
  minishogi.mutable_record()->clear_moves();
  minishogi.mutable_record()->mutable_result()->set_plies(0);
  Store(minishogi);
  const auto found = [this](const std::function<void(pb::SearchKifuRequest&)>& narrow) {
    pb::SearchKifuRequest request;
    narrow(request);
    return GamesFound(request);
  };
  EXPECT_EQ(found([](auto& r) { r.set_variant(common_pb::VARIANT_MINISHOGI); }), Names{"game4"});
  EXPECT_EQ(found([](auto& r) { r.set_player_id("eve"); }), (Names{"game3", "game1"}));
  EXPECT_EQ(found([](auto& r) { r.set_player_name("eV"); }), (Names{"game3", "game1"}));
  EXPECT_EQ(found([](auto& r) { r.set_outcome(common_pb::OUTCOME_SECOND_WINS); }),
            (Names{"game3", "game1"}));
  EXPECT_EQ(found([](auto& r) { r.set_ending(common_pb::ENDING_TIME_OUT); }),
            (Names{"game3", "game1"}));
  EXPECT_EQ(found([](auto& r) { r.set_from_ms(kEndedMs + 3000); }), (Names{"game4", "game3"}));
  EXPECT_EQ(found([](auto& r) { r.set_until_ms(kEndedMs + 1000); }), Names{"game0"});
  EXPECT_EQ(found([](auto& r) { r.set_rated_only(true); }), (Names{"game4", "game2", "game0"}));
  EXPECT_EQ(found([](auto& r) {
              r.set_variant(common_pb::VARIANT_SHOGI);
              r.set_position(kAfter7g7f + std::string("2"));
              r.set_rated_only(true);
            }),
            (Names{"game2", "game0"}));
  EXPECT_EQ(found([](auto& r) {
              r.set_player_id("eve");
              r.set_rated_only(true);
            }),
            Names{});
}

TEST_P(KifuServiceTest, MalformedSearchesAreRefused) {
  const auto refused = [this](const std::string& reason,
                              const std::function<void(pb::SearchKifuRequest&)>& spoil) {
    pb::SearchKifuRequest request;
    spoil(request);
    return Refused(Nobody(), &Stub::SearchKifu, request, StatusCode::INVALID_ARGUMENT, reason);
  };
  EXPECT_TRUE(refused("INVALID_REQUEST", [](auto& r) { r.set_page_size(-1); }));
  EXPECT_TRUE(refused("INVALID_REQUEST", [](auto& r) { r.set_player_id(std::string(65, 'p')); }));
  EXPECT_TRUE(refused("INVALID_REQUEST", [](auto& r) { r.set_player_name("A"); }));
  EXPECT_TRUE(
      refused("INVALID_REQUEST", [](auto& r) { r.set_player_name(std::string(161, 'A')); }));
  EXPECT_TRUE(
      refused("INVALID_REQUEST", [](auto& r) { r.set_position(kAfter7g7f + std::string("2")); }));
  EXPECT_TRUE(refused("INVALID_POSITION", [](auto& r) {
    r.set_variant(common_pb::VARIANT_SHOGI);
    r.set_position("nothing");
  }));
  EXPECT_TRUE(refused("UNKNOWN_VARIANT",
                      [](auto& r) { r.set_variant(static_cast<common_pb::Variant>(9)); }));
  for (const char* token : {"nonsense", "12", ":kifu", "1x:kifu"}) {
    EXPECT_TRUE(refused("INVALID_PAGE_TOKEN", [&](auto& r) { r.set_page_token(token); })) << token;
  }
  EXPECT_TRUE(refused("INVALID_PAGE_TOKEN",
                      [](auto& r) { r.set_page_token("1:" + std::string(127, 'k')); }));
}

// ExplorePosition

TEST_P(KifuServiceTest, ExploringCountsTheMovesPlayedAndWhoWon) {
  StoreGames(5);  // 3 of them go on with 3c3d, won by the first side and rated
  pb::ExplorePositionRequest request;
  request.set_variant(common_pb::VARIANT_SHOGI);
  const pb::ExplorePositionResponse start = Explore(request);
  EXPECT_EQ(start.games(), 5);
  ASSERT_EQ(start.moves_size(), 1);
  EXPECT_EQ(start.moves(0).move(), "7g7f");
  EXPECT_EQ(start.moves(0).games(), 5);
  EXPECT_EQ(start.moves(0).first_wins(), 3);
  EXPECT_EQ(start.moves(0).second_wins(), 2);
  EXPECT_EQ(start.moves(0).draws(), 0);
  for (const char* move_number : {"2", "77"}) {
    request.set_position(kAfter7g7f + std::string(move_number));
    const pb::ExplorePositionResponse after = Explore(request);
    ASSERT_EQ(after.moves_size(), 2);
    EXPECT_EQ(after.moves(0).move(), "3c3d") << "the most played first";
    EXPECT_EQ(after.moves(0).games(), 3);
    EXPECT_EQ(after.moves(1).move(), "8c8d");
    EXPECT_EQ(after.moves(1).second_wins(), 2);
  }
  request.set_rated_only(true);
  const pb::ExplorePositionResponse rated = Explore(request);
  EXPECT_EQ(rated.games(), 3);
  EXPECT_EQ(rated.moves_size(), 1);
}

TEST_P(KifuServiceTest, AnUnknownPositionHasNoGames) {
  StoreGames(1);
  pb::ExplorePositionRequest request;
  request.set_variant(common_pb::VARIANT_XIANGQI);
  EXPECT_EQ(Explore(request).games(), 0);
  EXPECT_EQ(Explore(request).moves_size(), 0);
}

TEST_P(KifuServiceTest, MalformedExplorationsAreRefused) {
  pb::ExplorePositionRequest request;
  EXPECT_TRUE(Refused(Nobody(), &Stub::ExplorePosition, request, StatusCode::INVALID_ARGUMENT,
                      "UNKNOWN_VARIANT"));
  request.set_variant(common_pb::VARIANT_SHOGI);
  request.set_position("nothing");
  EXPECT_TRUE(Refused(Nobody(), &Stub::ExplorePosition, request, StatusCode::INVALID_ARGUMENT,
                      "INVALID_POSITION"));
}

}  // namespace
}  // namespace komadai::kifu
