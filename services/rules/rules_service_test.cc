// The service over a real gRPC server.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "libs/rpc/status_proto.h"
#include "services/rules/testing/rules_fixture.h"

namespace komadai::rules_service {
namespace {

class RulesServiceTest : public RulesFixture {
 protected:
  std::string ReasonOfMove(common_pb::Variant variant, const std::string& position,
                           const std::string& move) {
    pb::ApplyMoveRequest request;
    request.mutable_setup()->set_variant(variant);
    request.mutable_setup()->set_position(position);
    request.set_move(move);
    std::string reason;
    Call(&Stub::ApplyMove, request, &reason);
    return reason;
  }
};

TEST_F(RulesServiceTest, CatalogueNamesEverythingThatCanBePlayed) {
  const auto response = Call(&Stub::ListVariants, pb::ListVariantsRequest());
  ASSERT_EQ(response.variants_size(), 3);
  EXPECT_EQ(response.variants(0).id(), "shogi");
  EXPECT_EQ(response.variants(0).rulesets_size(), 3);
  EXPECT_GT(response.variants(0).handicaps_size(), 12);
  EXPECT_EQ(response.variants(2).start_position(),
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1");
  EXPECT_EQ(response.variants(2).handicaps_size(), 0);
}

TEST_F(RulesServiceTest, EveryHandicapOfTheCatalogueStartsAGame) {
  const auto catalogue = Call(&Stub::ListVariants, pb::ListVariantsRequest());
  for (const auto& variant : catalogue.variants()) {
    for (const auto& handicap : variant.handicaps()) {
      pb::GetStartPositionRequest request;
      request.mutable_setup()->set_variant(variant.variant());
      request.mutable_setup()->set_handicap(handicap.id());
      const auto start = Call(&Stub::GetStartPosition, request);
      EXPECT_EQ(start.position(), handicap.start_position());
      EXPECT_EQ(start.side_to_move(),
                handicap.id() == "none" ? common_pb::SIDE_FIRST : common_pb::SIDE_SECOND);
      EXPECT_EQ(start.setup().ruleset().id(), "standard");
      EXPECT_TRUE(start.setup().ruleset().has_ply_limit());
    }
  }
}

TEST_F(RulesServiceTest, BadSetupsNameTheirReason) {
  const auto reason_of = [this](const common_pb::GameSetup& setup) {
    pb::GetStartPositionRequest request;
    *request.mutable_setup() = setup;
    std::string reason;
    Call(&Stub::GetStartPosition, request, &reason);
    return reason;
  };
  common_pb::GameSetup setup;
  EXPECT_EQ(reason_of(setup), "UNKNOWN_VARIANT");
  setup.set_variant(common_pb::VARIANT_SHOGI);
  setup.mutable_ruleset()->set_id("nonsense");
  EXPECT_EQ(reason_of(setup), "UNKNOWN_RULESET");
  setup.mutable_ruleset()->set_id("csa27");
  setup.mutable_ruleset()->set_ply_limit(-1);
  EXPECT_EQ(reason_of(setup), "BAD_RULE_OPTION");
  setup.mutable_ruleset()->set_ply_limit(256);
  EXPECT_EQ(reason_of(setup), "OK");
  setup.set_handicap("two hundred pieces");
  EXPECT_EQ(reason_of(setup), "UNKNOWN_HANDICAP");
  setup.set_position("9/9 b - 1");
  EXPECT_EQ(reason_of(setup), "INVALID_POSITION");
  setup.set_position("4k4/9/9/9/9/9/9/9/9 b - 1");
  EXPECT_EQ(reason_of(setup), "MISSING_KING");
  setup.set_position("4k4/4P4/4P4/9/9/9/9/9/4K4 b - 1");
  EXPECT_EQ(reason_of(setup), "NIFU");
  common_pb::GameSetup xiangqi;
  xiangqi.set_variant(common_pb::VARIANT_XIANGQI);
  xiangqi.mutable_ruleset()->set_impasse_rule(common_pb::IMPASSE_RULE_POINTS_24);
  EXPECT_EQ(reason_of(xiangqi), "BAD_RULE_OPTION");
}

TEST_F(RulesServiceTest, IllegalMovesNameTheRule) {
  using common_pb::VARIANT_SHOGI;
  using common_pb::VARIANT_XIANGQI;
  EXPECT_EQ(ReasonOfMove(VARIANT_SHOGI, "4k4/9/4P4/9/9/9/9/9/4K4 b P 1", "P*5e"), "NIFU");
  EXPECT_EQ(ReasonOfMove(VARIANT_SHOGI, "8k/9/7+R1/9/9/9/9/9/K8 b P 1", "P*1b"), "UCHIFUZUME");
  EXPECT_EQ(ReasonOfMove(VARIANT_SHOGI, "6nk1/6p1p/9/5B3/9/9/9/9/K8 b P 1", "P*2b"), "OK");
  EXPECT_EQ(ReasonOfMove(VARIANT_SHOGI, "4k4/9/9/9/9/9/9/9/4K4 w P 1", "P*5e"), "NOT_IN_HAND");
  EXPECT_EQ(ReasonOfMove(VARIANT_SHOGI, "", "7g7e"), "BAD_GEOMETRY");
  EXPECT_EQ(ReasonOfMove(VARIANT_SHOGI, "", "3c3d"), "WRONG_SIDE");
  EXPECT_EQ(ReasonOfMove(VARIANT_SHOGI, "", "e2e4"), "INVALID_MOVE");
  EXPECT_EQ(ReasonOfMove(VARIANT_XIANGQI, "", "b0d1"), "HORSE_LEG");
  EXPECT_EQ(ReasonOfMove(VARIANT_XIANGQI, "4k4/9/9/9/9/9/9/4N4/9/4K4 w", "e2c3"), "FLYING_GENERAL");
}

TEST_F(RulesServiceTest, MemoryAndMovesGiveTheSameGame) {
  const std::vector<std::string> moves = {"2h3h", "8b7b", "3h2h", "7b8b"};
  pb::ApplyMoveRequest by_memory;
  by_memory.mutable_setup()->set_variant(common_pb::VARIANT_SHOGI);
  pb::ApplyMoveRequest by_moves = by_memory;
  by_memory.mutable_memory();
  for (int ply = 0; ply < 12; ++ply) {
    const std::string& move = moves[static_cast<std::size_t>(ply % 4)];
    by_memory.set_move(move);
    by_moves.set_move(move);
    const auto remembered = Call(&Stub::ApplyMove, by_memory);
    const auto replayed = Call(&Stub::ApplyMove, by_moves);
    EXPECT_EQ(remembered.position(), replayed.position());
    EXPECT_EQ(remembered.state().SerializeAsString(), replayed.state().SerializeAsString());
    by_memory.mutable_memory()->set_position(remembered.position());
    by_memory.mutable_memory()->mutable_history()->append(remembered.history_entry());
    EXPECT_EQ(by_memory.memory().history(), replayed.history_entry());
    *by_moves.mutable_moves()->add_moves() = move;
    // The start is the first occurrence; after 8 plies one more would end the game.
    EXPECT_EQ(remembered.state().has_result_if_repeated(), ply >= 7 && ply < 11) << ply;
    EXPECT_EQ(remembered.state().has_result(), ply == 11) << ply;
    if (ply == 11) {
      EXPECT_EQ(remembered.state().result().ending(), common_pb::ENDING_REPETITION);
      EXPECT_EQ(remembered.state().result().outcome(), common_pb::OUTCOME_DRAW);
      EXPECT_EQ(remembered.state().result().plies(), 12);
    }
  }
  std::string reason;
  by_memory.set_move("7g7f");
  Call(&Stub::ApplyMove, by_memory, &reason);
  EXPECT_EQ(reason, "GAME_OVER");
}

TEST_F(RulesServiceTest, ABatchAnswersEveryMoveByItself) {
  pb::ApplyMovesRequest batch;
  for (const char* move : {"7g7f", "7g7e", "2g2f"}) {
    pb::ApplyMoveRequest& request = *batch.add_moves();
    request.mutable_setup()->set_variant(common_pb::VARIANT_SHOGI);
    request.set_move(move);
  }
  batch.mutable_moves(2)->mutable_setup()->set_handicap("2_piece");  // Gote moves first
  const auto response = Call(&Stub::ApplyMoves, batch);
  ASSERT_EQ(response.moves_size(), 3);
  EXPECT_EQ(response.moves(0).applied().SerializeAsString(),
            Call(&Stub::ApplyMove, batch.moves(0)).SerializeAsString());
  EXPECT_EQ(rpc::FromStatusProto(response.moves(1).error()).reason(), "BAD_GEOMETRY");
  EXPECT_EQ(rpc::FromStatusProto(response.moves(2).error()).reason(), "WRONG_SIDE");
  while (batch.moves_size() <= 256) *batch.add_moves() = batch.moves(0);
  std::string reason;
  std::string field;
  Call(&Stub::ApplyMoves, batch, &reason, &field);
  EXPECT_EQ(reason, "TOO_MANY_MOVES");
  EXPECT_EQ(field, "moves");
  EXPECT_EQ(Call(&Stub::ApplyMoves, pb::ApplyMovesRequest()).moves_size(), 0);
}

TEST_F(RulesServiceTest, ForeignMemoryIsRefused) {
  pb::ApplyMoveRequest request;
  request.mutable_setup()->set_variant(common_pb::VARIANT_SHOGI);
  request.set_move("7g7f");
  std::string reason;
  for (const std::string& history :
       {std::string("x"), std::string(16, '\0'), std::string(500'000, '\xFF')}) {
    request.mutable_memory()->set_position(
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    request.mutable_memory()->set_history(history);
    Call(&Stub::ApplyMove, request, &reason);
    EXPECT_EQ(reason, "BAD_HISTORY");
  }
  request.mutable_memory()->clear_history();
  request.mutable_memory()->set_position("4k4/9/9/9/9/9/9/9/4K4 b - 1");
  Call(&Stub::ApplyMove, request, &reason);
  EXPECT_EQ(reason, "BAD_HISTORY");
}

TEST_F(RulesServiceTest, AnIllegalMoveLosesWhereTheRulesetSaysSo) {
  pb::ApplyMoveRequest request;
  request.mutable_setup()->set_variant(common_pb::VARIANT_SHOGI);
  request.mutable_setup()->mutable_ruleset()->set_id("professional");
  request.set_move("7g7e");
  const auto response = Call(&Stub::ApplyMove, request);
  EXPECT_EQ(response.state().result().ending(), common_pb::ENDING_ILLEGAL_MOVE);
  EXPECT_EQ(response.state().result().outcome(), common_pb::OUTCOME_SECOND_WINS);
  EXPECT_TRUE(response.history_entry().empty());
}

TEST_F(RulesServiceTest, LegalMovesByOriginAndInNotations) {
  pb::ListLegalMovesRequest request;
  request.set_variant(common_pb::VARIANT_SHOGI);
  EXPECT_EQ(Call(&Stub::ListLegalMoves, request).moves_size(), 30);
  request.set_from("2h");
  request.add_notations(common_pb::MOVE_NOTATION_JAPANESE);
  request.add_notations(common_pb::MOVE_NOTATION_WESTERN);
  const auto rook = Call(&Stub::ListLegalMoves, request);
  ASSERT_EQ(rook.moves_size(), 6);
  EXPECT_EQ(rook.moves(0).move(), "2h1h");
  EXPECT_EQ(rook.moves(0).names(0), "▲１八飛");
  EXPECT_EQ(rook.moves(0).names(1), "R-1h");
  std::string reason;
  std::string field;
  request.set_from("zz");
  Call(&Stub::ListLegalMoves, request, &reason, &field);
  EXPECT_EQ(reason, "INVALID_MOVE");
  EXPECT_EQ(field, "from");
  request.clear_from();
  request.add_notations(common_pb::MOVE_NOTATION_WXF);
  Call(&Stub::ListLegalMoves, request, &reason, &field);
  EXPECT_EQ(reason, "WRONG_NOTATION");
}

TEST_F(RulesServiceTest, JudgesToTheEndAndIgnoresWhatFollows) {
  pb::JudgeGameRequest request;
  request.mutable_setup()->set_variant(common_pb::VARIANT_MINISHOGI);
  for (int i = 0; i < 4; ++i) {
    for (const char* move : {"4e4d", "2a2b", "4d4e", "2b2a"}) request.add_moves(move);
  }
  const auto judged = Call(&Stub::JudgeGame, request);
  EXPECT_EQ(judged.state().result().ending(), common_pb::ENDING_REPETITION);
  EXPECT_EQ(judged.state().result().outcome(), common_pb::OUTCOME_SECOND_WINS);
  EXPECT_EQ(judged.state().result().plies(), 12);
  std::string reason;
  std::string field;
  request.set_moves(1, "1a1a");
  Call(&Stub::JudgeGame, request, &reason, &field);
  EXPECT_EQ(field, "moves[1]");
}

TEST_F(RulesServiceTest, TooManyMovesAreRefused) {
  pb::JudgeGameRequest request;
  request.mutable_setup()->set_variant(common_pb::VARIANT_SHOGI);
  for (int i = 0; i < 5000; ++i) request.add_moves("7g7f");
  std::string reason;
  Call(&Stub::JudgeGame, request, &reason);
  EXPECT_EQ(reason, "TOO_MANY_MOVES");
}

TEST_F(RulesServiceTest, ImpasseIsExplainedBeforeItIsDeclared) {
  pb::ScoreImpasseRequest request;
  request.mutable_setup()->set_variant(common_pb::VARIANT_SHOGI);
  const auto start = Call(&Stub::ScoreImpasse, request).report();
  EXPECT_FALSE(start.may_declare());
  EXPECT_EQ(start.first().points(), 27);
  EXPECT_GE(start.failed_conditions_size(), 2);
  request.set_position(
      "5+B+P2/K+P1+P+R+P3/+P+P+NPP4/7g1/6gg1/5+n1s1/3+p+p4/1+p3+n1k1/9 b G2SNL3Psl4p 1");
  // Uwate's missing pieces count for uwate: 15 points and 12 of the four pieces.
  request.mutable_setup()->set_handicap("4_piece");
  const auto draw = Call(&Stub::ScoreImpasse, request).report();
  EXPECT_EQ(draw.second().points(), 27);
  EXPECT_EQ(draw.second().handicap_credit(), 12);
  EXPECT_TRUE(draw.may_declare());
  EXPECT_EQ(draw.result_if_declared().outcome(), common_pb::OUTCOME_DRAW);
  request.mutable_setup()->mutable_ruleset()->set_id("csa27");
  const auto loss = Call(&Stub::ScoreImpasse, request).report();
  EXPECT_EQ(loss.result_if_declared().outcome(), common_pb::OUTCOME_SECOND_WINS);
}

TEST_F(RulesServiceTest, AnAgreedImpasseWithEnoughPointsHasNoResult) {
  pb::JudgeGameRequest request;
  request.mutable_setup()->set_variant(common_pb::VARIANT_SHOGI);
  request.mutable_setup()->mutable_ruleset()->set_id("professional");
  request.set_claim(pb::CLAIM_AGREE_IMPASSE);
  const auto refused = Call(&Stub::JudgeGame, request);
  EXPECT_FALSE(refused.state().has_result());
  EXPECT_GE(refused.impasse().failed_conditions_size(), 2);
  // Both have entered: 27 points each, then 31 against 23.
  request.mutable_setup()->set_position("4K4/9/9/9/9/9/9/9/4k4 b RB2G2S2N2L9Prb2g2s2n2l9p 1");
  const auto agreed = Call(&Stub::JudgeGame, request);
  EXPECT_EQ(agreed.state().result().ending(), common_pb::ENDING_IMPASSE);
  EXPECT_EQ(agreed.state().result().outcome(), common_pb::OUTCOME_NO_RESULT);
  request.mutable_setup()->set_position("4K4/9/9/9/9/9/9/9/4k4 b 2RB4G4S4N4Lb18p 1");
  const auto lost = Call(&Stub::JudgeGame, request);
  EXPECT_EQ(lost.state().result().outcome(), common_pb::OUTCOME_FIRST_WINS);
}

TEST_F(RulesServiceTest, ConvertsFromWhateverIsGiven) {
  pb::ConvertMovesRequest request;
  request.set_variant(common_pb::VARIANT_SHOGI);
  for (const char* move : {"▲７六歩", "P-3d", "+8822UM", "同　銀(31)"}) request.add_moves(move);
  request.add_to(common_pb::MOVE_NOTATION_KIF);
  const auto response = Call(&Stub::ConvertMoves, request);
  ASSERT_EQ(response.moves_size(), 4);
  EXPECT_EQ(response.moves(2).move(), "8h2b+");
  EXPECT_EQ(response.moves(3).names(0), "同　銀(31)");
  std::string reason;
  std::string field;
  request.add_moves("▲５五歩");
  Call(&Stub::ConvertMoves, request, &reason, &field);
  EXPECT_EQ(field, "moves[4]");
}

TEST_F(RulesServiceTest, PositionsAreNormalised) {
  pb::ParsePositionRequest request;
  request.set_variant(common_pb::VARIANT_SHOGI);
  request.set_position(
      "ln1g4l/1ks1g2+R1/1pppp1n1p/p5p2/9/P1P2r3/1PNPP1P1P/2K2S3/L1SG2GNL b PSPpbpb 19");
  EXPECT_EQ(Call(&Stub::ParsePosition, request).position(),
            "ln1g4l/1ks1g2+R1/1pppp1n1p/p5p2/9/P1P2r3/1PNPP1P1P/2K2S3/L1SG2GNL b S2P2b2p 19");
  request.set_position("7k1/9/7P1/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
  std::string reason;
  Call(&Stub::ParsePosition, request, &reason);
  EXPECT_EQ(reason, "MISSING_KING");
  request.set_allow_missing_kings(true);
  EXPECT_GT(Call(&Stub::ParsePosition, request).legal_move_count(), 0);
  request.set_position(std::string(60'000, '9'));
  Call(&Stub::ParsePosition, request, &reason);
  EXPECT_EQ(reason, "INVALID_POSITION");
}

TEST_F(RulesServiceTest, RecordsAreReadAndWritten) {
  pb::ReadRecordRequest read;
  read.set_data("V2.2\nN+a\nN-b\nPI\n+\n+7776FU\nT3\n-3334FU\n%TORYO\n");
  const auto file = Call(&Stub::ReadRecord, read);
  EXPECT_EQ(file.format(), common_pb::RECORD_FORMAT_CSA);
  ASSERT_EQ(file.records_size(), 1);
  EXPECT_EQ(file.records(0).moves(0).used_ms(), 3000);
  EXPECT_EQ(file.records(0).result().outcome(), common_pb::OUTCOME_SECOND_WINS);
  pb::WriteRecordRequest write;
  *write.mutable_record() = file.records(0);
  write.set_format(common_pb::RECORD_FORMAT_CSA);
  EXPECT_EQ(Call(&Stub::WriteRecord, write).data(), read.data());
  std::string reason;
  write.set_format(common_pb::RECORD_FORMAT_JKF);
  Call(&Stub::WriteRecord, write, &reason);
  EXPECT_EQ(reason, "FORMAT_NOT_SUPPORTED");
  write.set_format(common_pb::RECORD_FORMAT_KIF);
  write.mutable_record()->mutable_moves(0)->set_move("7g7e");
  Call(&Stub::WriteRecord, write, &reason);
  EXPECT_EQ(reason, "BAD_GEOMETRY");
}

TEST_F(RulesServiceTest, HostileRequestsAreAnswered) {
  std::string reason;
  pb::ApplyMoveRequest apply;
  apply.mutable_setup()->set_variant(static_cast<common_pb::Variant>(99));
  Call(&Stub::ApplyMove, apply, &reason);
  EXPECT_EQ(reason, "UNKNOWN_VARIANT");
  pb::ConvertMovesRequest convert;
  convert.set_variant(common_pb::VARIANT_XIANGQI);
  convert.add_moves(std::string(10'000, 'a'));
  Call(&Stub::ConvertMoves, convert, &reason);
  EXPECT_EQ(reason, "INVALID_MOVE");
  convert.set_from(static_cast<common_pb::MoveNotation>(77));
  Call(&Stub::ConvertMoves, convert, &reason);
  EXPECT_EQ(reason, "WRONG_NOTATION");
  pb::ReadRecordRequest read;
  read.set_data(std::string(100'000, '\xFE'));
  Call(&Stub::ReadRecord, read, &reason);
  EXPECT_EQ(reason, "BAD_RECORD");
  read.set_data("\xA4");  // half a character
  read.set_encoding(common_pb::TEXT_ENCODING_EUC_JP);
  Call(&Stub::ReadRecord, read, &reason);
  EXPECT_EQ(reason, "BAD_ENCODING");
  read.set_data("");
  read.clear_encoding();
  Call(&Stub::ReadRecord, read, &reason);
  EXPECT_EQ(reason, "UNKNOWN_FORMAT");
}

}  // namespace
}  // namespace komadai::rules_service
