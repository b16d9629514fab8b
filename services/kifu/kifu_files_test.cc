// The kifu service over gRPC, on every database it runs on: record files.
#include <functional>

#include "services/kifu/testing/kifu_service_fixture.h"

namespace komadai::kifu {
namespace {

using KifuFilesTest = KifuServiceTest;

INSTANTIATE_TEST_SUITE_P(Backends, KifuFilesTest, ::testing::ValuesIn(sql::testing::AllBackends()),
                         sql::testing::BackendName);

using Names = std::vector<std::string>;

// ExportKifu

TEST_P(KifuFilesTest, AnExportedFileIsNamedAfterItsFormat) {
  pb::StoreKifuRequest xiangqi = Game(2);
  xiangqi.mutable_record()->mutable_setup()->set_variant(common_pb::VARIANT_XIANGQI);
  xiangqi.mutable_record()->mutable_moves(0)->set_move("h2e2");
  xiangqi.mutable_record()->mutable_moves(1)->set_move("h9g7");
  const std::string of_shogi = Store(Game(1));
  const std::string of_xiangqi = Store(xiangqi);
  const auto name = [this](const std::string& kifu_id, common_pb::RecordFormat format) {
    pb::ExportKifuRequest request;
    request.set_kifu_id(kifu_id);
    request.set_format(format);
    pb::ExportKifuResponse response;
    const grpc::Status status = Call(Nobody(), &Stub::ExportKifu, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    EXPECT_FALSE(response.data().empty());
    return response.file_name();
  };
  EXPECT_EQ(name(of_shogi, common_pb::RECORD_FORMAT_USI), of_shogi + ".usi");
  EXPECT_EQ(name(of_shogi, common_pb::RECORD_FORMAT_CSA), of_shogi + ".csa");
  EXPECT_EQ(name(of_shogi, common_pb::RECORD_FORMAT_KIF), of_shogi + ".kif");
  EXPECT_EQ(name(of_shogi, common_pb::RECORD_FORMAT_KI2), of_shogi + ".ki2");
  EXPECT_EQ(name(of_xiangqi, common_pb::RECORD_FORMAT_PGN), of_xiangqi + ".pgn");
}

TEST_P(KifuFilesTest, AGameIsExportedByItsGameIdToo) {
  const std::string kifu_id = Store(Game(1));
  pb::ExportKifuRequest request;
  request.set_game_id("game1");
  request.set_format(common_pb::RECORD_FORMAT_CSA);
  pb::ExportKifuResponse response;
  ASSERT_TRUE(Call(Nobody(), &Stub::ExportKifu, request, &response).ok());
  EXPECT_EQ(response.data(), Export(kifu_id, common_pb::RECORD_FORMAT_CSA));
  EXPECT_NE(response.data().find("+7776FU"), std::string::npos) << response.data();
}

TEST_P(KifuFilesTest, AnExportIsInTheEncodingAskedFor) {
  const std::string kifu_id = Store(Game(1));
  const std::string utf8 = Export(kifu_id, common_pb::RECORD_FORMAT_KIF);
  EXPECT_EQ(Export(kifu_id, common_pb::RECORD_FORMAT_KIF, common_pb::TEXT_ENCODING_UTF8), utf8);
  const std::string pawn_utf8 = "\xE6\xAD\xA9";
  const std::string pawn_sjis = "\x95\xE0";
  EXPECT_NE(utf8.find(pawn_utf8), std::string::npos);
  const std::string sjis =
      Export(kifu_id, common_pb::RECORD_FORMAT_KIF, common_pb::TEXT_ENCODING_SHIFT_JIS);
  EXPECT_EQ(sjis.find(pawn_utf8), std::string::npos);
  EXPECT_NE(sjis.find(pawn_sjis), std::string::npos);
}

TEST_P(KifuFilesTest, ExportsThatCannotBeAreRefused) {
  pb::ExportKifuRequest request;
  request.set_format(common_pb::RECORD_FORMAT_KIF);
  EXPECT_TRUE(Refused(Nobody(), &Stub::ExportKifu, request, StatusCode::INVALID_ARGUMENT,
                      "INVALID_REQUEST"));
  request.set_kifu_id("nothing");
  EXPECT_TRUE(
      Refused(Nobody(), &Stub::ExportKifu, request, StatusCode::NOT_FOUND, "KIFU_NOT_FOUND"));
  request.set_kifu_id(Store(Game(1)));
  request.set_format(common_pb::RECORD_FORMAT_UNSPECIFIED);
  EXPECT_TRUE(Refused(Nobody(), &Stub::ExportKifu, request, StatusCode::INVALID_ARGUMENT,
                      "INVALID_REQUEST"));
  request.set_format(static_cast<common_pb::RecordFormat>(99));
  EXPECT_TRUE(Refused(Nobody(), &Stub::ExportKifu, request, StatusCode::INVALID_ARGUMENT,
                      "UNKNOWN_FORMAT"));
  request.set_format(common_pb::RECORD_FORMAT_DHTMLXQ);
  EXPECT_TRUE(Refused(Nobody(), &Stub::ExportKifu, request, StatusCode::INVALID_ARGUMENT,
                      "WRONG_NOTATION"));
  request.set_format(common_pb::RECORD_FORMAT_WESTERN);
  EXPECT_TRUE(Refused(Nobody(), &Stub::ExportKifu, request, StatusCode::UNIMPLEMENTED,
                      "FORMAT_NOT_SUPPORTED"));
  request.set_format(common_pb::RECORD_FORMAT_KIF);
  request.set_encoding(static_cast<common_pb::TextEncoding>(99));
  EXPECT_TRUE(
      Refused(Nobody(), &Stub::ExportKifu, request, StatusCode::INVALID_ARGUMENT, "BAD_ENCODING"));
}

// ImportKifu

TEST_P(KifuFilesTest, AnImportedFileIsReadBackAndIsNobodysGame) {
  pb::ImportKifuRequest request;
  request.set_request_id("request-1");
  request.set_data(Export(Store(Game(1)), common_pb::RECORD_FORMAT_KIF));
  pb::ImportKifuResponse response;
  const grpc::Status status = Call(Player(), &Stub::ImportKifu, request, &response);
  ASSERT_TRUE(status.ok()) << status.error_message();
  ASSERT_EQ(response.kifu_ids_size(), 1);
  pb::GetKifuRequest get;
  get.set_kifu_id(response.kifu_ids(0));
  pb::GetKifuResponse found;
  ASSERT_TRUE(Call(Nobody(), &Stub::GetKifu, get, &found).ok());
  EXPECT_EQ(found.kifu().game_id(), "");
  ASSERT_EQ(found.kifu().record().moves_size(), 2);
  EXPECT_EQ(found.kifu().record().moves(1).move(), "8c8d");
  EXPECT_EQ(found.kifu().record().first().name(), "Ann");
  pb::SearchKifuRequest search;
  search.set_player_id("ann");
  EXPECT_EQ(GamesFound(search), Names{"game1"}) << "the file's names are nobody's account";
}

TEST_P(KifuFilesTest, ImportingIsIdempotentByRequestIdAndCaller) {
  const std::string one = Export(Store(Game(1)), common_pb::RECORD_FORMAT_CSA);
  const std::string other = Export(Store(Game(2)), common_pb::RECORD_FORMAT_CSA);
  pb::ImportKifuRequest request;
  request.set_request_id("request-1");
  request.set_data(one + "/\n" + other);
  request.set_format(common_pb::RECORD_FORMAT_CSA);
  pb::ImportKifuResponse first;
  ASSERT_TRUE(Call(Player(), &Stub::ImportKifu, request, &first).ok());
  EXPECT_EQ(first.kifu_ids_size(), 2);
  pb::ImportKifuResponse repeat;
  ASSERT_TRUE(Call(Player(), &Stub::ImportKifu, request, &repeat).ok());
  EXPECT_EQ(repeat.SerializeAsString(), first.SerializeAsString());
  pb::ImportKifuResponse of_bob;
  ASSERT_TRUE(Call(Player("bob"), &Stub::ImportKifu, request, &of_bob).ok());
  EXPECT_NE(of_bob.kifu_ids(0), first.kifu_ids(0));
  request.set_data(other);
  EXPECT_TRUE(Refused(Player(), &Stub::ImportKifu, request, StatusCode::INVALID_ARGUMENT,
                      "REQUEST_ID_REUSED"));
  EXPECT_EQ(Search({}).kifus_size(), 2 + 2 + 2);
}

TEST_P(KifuFilesTest, AnImportIsAllOrNothing) {
  std::string bad = Export(Store(Game(1)), common_pb::RECORD_FORMAT_CSA);
  const std::string good = bad;
  const std::size_t move = bad.find("+7776FU");
  ASSERT_NE(move, std::string::npos);
  bad.replace(move, 7, "+7774FU");
  pb::ImportKifuRequest request;
  request.set_request_id("request-1");
  request.set_data(good + "/\n" + bad);
  pb::ImportKifuResponse response;
  EXPECT_FALSE(Call(Player(), &Stub::ImportKifu, request, &response).ok());
  EXPECT_EQ(Search({}).kifus_size(), 1);
}

TEST_P(KifuFilesTest, AFileHasAtMostAHundredGamesAndSoDoesAPage) {
  const std::string one = Export(Store(Game(1)), common_pb::RECORD_FORMAT_CSA);
  std::string hundred = one;
  for (int i = 1; i < 100; ++i) hundred += "/\n" + one;
  pb::ImportKifuRequest request;
  request.set_request_id("request-1");
  request.set_data(hundred + "/\n" + one);
  EXPECT_TRUE(Refused(Player(), &Stub::ImportKifu, request, StatusCode::INVALID_ARGUMENT,
                      "RECORD_TOO_LARGE"));
  request.set_data(hundred);
  pb::ImportKifuResponse response;
  const grpc::Status status = Call(Player(), &Stub::ImportKifu, request, &response);
  ASSERT_TRUE(status.ok()) << status.error_message();
  ASSERT_EQ(response.kifu_ids_size(), 100);
  pb::SearchKifuRequest search;
  EXPECT_EQ(Search(search).kifus_size(), 50) << "the default";
  search.set_page_size(1000);
  const pb::SearchKifuResponse page = Search(search);
  EXPECT_EQ(page.kifus_size(), 100);
  search.set_page_token(page.next_page_token());
  EXPECT_EQ(Search(search).kifus_size(), 1);
}

TEST_P(KifuFilesTest, ImportsThatCannotBeReadAreRefused) {
  const auto refused = [this](const std::string& reason,
                              const std::function<void(pb::ImportKifuRequest&)>& spoil) {
    pb::ImportKifuRequest request;
    request.set_request_id("request-1");
    request.set_data("position startpos moves 7g7f");
    spoil(request);
    return Refused(Player(), &Stub::ImportKifu, request, StatusCode::INVALID_ARGUMENT, reason);
  };
  EXPECT_TRUE(refused("BAD_REQUEST_ID", [](auto& r) { r.set_request_id("short"); }));
  EXPECT_TRUE(refused("UNKNOWN_FORMAT",
                      [](auto& r) { r.set_format(static_cast<common_pb::RecordFormat>(99)); }));
  EXPECT_TRUE(refused("BAD_ENCODING",
                      [](auto& r) { r.set_encoding(static_cast<common_pb::TextEncoding>(99)); }));
  EXPECT_TRUE(refused("BAD_RECORD", [](auto& r) {
    r.set_format(common_pb::RECORD_FORMAT_CSA);
    r.set_data("no game at all");
  }));
  EXPECT_TRUE(
      refused("RECORD_TOO_LARGE", [](auto& r) { r.set_data(std::string((1 << 20) + 1, 'x')); }));
  EXPECT_TRUE(refused("REQUEST_TOO_LARGE",
                      [](auto& r) { r.set_data(std::string((1 << 20) + 8192, 'x')); }));
  pb::ImportKifuRequest request;
  EXPECT_TRUE(Refused(Nobody(), &Stub::ImportKifu, request, StatusCode::UNAUTHENTICATED,
                      "UNAUTHENTICATED"));
  EXPECT_TRUE(Refused(Service(), &Stub::ImportKifu, request, StatusCode::PERMISSION_DENIED,
                      "PERMISSION_DENIED"));
  EXPECT_EQ(Search({}).kifus_size(), 0);
}

}  // namespace
}  // namespace komadai::kifu
