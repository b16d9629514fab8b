// The checker is checked: each record below passes, and fails as soon as one of its claims is
// changed.
#include "libs/conformance/record_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "libs/conformance/library_judge.h"

namespace komadai::conformance {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

CheckResult Check(const json& record, const CheckOptions& options = {}) {
  LibraryJudge judge;
  return CheckRecord(record, judge, options);
}

struct Change {
  std::string pointer;  // JSON pointer of the claim
  json value;
  std::string message;  // part of what is said then
};

void ExpectEachClaimChecked(const json& record, const std::vector<Change>& changes) {
  EXPECT_EQ(Check(record).outcome, Outcome::kPassed) << Check(record).message;
  for (const Change& change : changes) {
    json changed = record;
    changed[json::json_pointer(change.pointer)] = change.value;
    const CheckResult result = Check(changed);
    EXPECT_EQ(result.outcome, Outcome::kFailed) << change.pointer;
    EXPECT_THAT(result.message, HasSubstr(change.message)) << change.pointer;
  }
}

json Parsed(const char* text) { return json::parse(text); }

TEST(CheckRecordTest, Perft) {
  const json record = Parsed(R"({"variant": "minishogi", "position": "startpos", "depth": 2,
      "nodes": 181, "nodes_if_pawn_drop_mate_were_legal": 181, "unknown field": [1, {}]})");
  ExpectEachClaimChecked(record, {{"/nodes", 182, "nodes: got 181, want 182"},
                                  {"/nodes_if_pawn_drop_mate_were_legal", 180, "want 180"},
                                  {"/depth", 101, "malformed"},
                                  {"/depth", -1, "malformed"},
                                  {"/depth", 2.5, "malformed"},
                                  {"/position", "rbsgk/4p/5", "INVALID_POSITION"},
                                  {"/variant", "chess", "unknown variant"}});
}

TEST(CheckRecordTest, PerftCountsPawnDropMatesApart) {
  const json record = Parsed(R"({"variant": "shogi", "position": "7nk/9/8G/9/9/9/9/9/K8 b P 1",
      "depth": 1, "nodes": 76, "nodes_if_pawn_drop_mate_were_legal": 77})");
  ExpectEachClaimChecked(record, {{"/nodes_if_pawn_drop_mate_were_legal", 75, "got 77, want 75"}});
}

TEST(CheckRecordTest, LargePerftIsSkippedOnRequestOnly) {
  const json record =
      Parsed(R"({"variant": "xiangqi", "position": "startpos", "depth": 1, "nodes": 44})");
  EXPECT_EQ(Check(record, {.max_perft_nodes = 43}).outcome, Outcome::kSkipped);
  EXPECT_EQ(Check(record, {.max_perft_nodes = 44}).outcome, Outcome::kPassed);
}

TEST(CheckRecordTest, Legality) {
  const json record = Parsed(R"({"variant": "shogi", "position": "7nk/9/8G/9/9/9/9/9/K8 b P 1",
      "move": "P*1b", "legal": false, "why": "uchifuzume"})");
  ExpectEachClaimChecked(record, {{"/legal", true, "legal: got false (uchifuzume), want true"},
                                  {"/why", "nifu", "why: got uchifuzume, want [\"nifu\"]"},
                                  {"/move", "P*5e", "legal: got true (ok), want false"},
                                  {"/move", 7, "'move' is not a text"}});
  json other = record;
  other["why"] = "nifu";
  other["also"] = {"occupied", "uchifuzume"};
  EXPECT_EQ(Check(other).outcome, Outcome::kPassed);
  other["also"] = "uchifuzume";
  EXPECT_EQ(Check(other).outcome, Outcome::kPassed);
}

TEST(CheckRecordTest, ATextThatCannotBeAMoveIsIllegal) {
  const json record = Parsed(R"({"variant": "xiangqi", "position": "startpos", "move": "h2h12",
      "legal": false, "why": "off_board"})");
  ExpectEachClaimChecked(record, {{"/legal", true, "legal: got false (off_board)"},
                                  {"/why", "geometry", "why: got off_board"}});
}

TEST(CheckRecordTest, EitherWordForGeometry) {
  json record = Parsed(R"({"variant": "xiangqi", "position": "startpos", "move": "a0b2",
      "legal": false, "why": "geometry"})");
  EXPECT_EQ(Check(record).outcome, Outcome::kPassed) << Check(record).message;
  record["why"] = "bad_geometry";
  EXPECT_EQ(Check(record).outcome, Outcome::kPassed);
}

const char kPerpetual[] = R"({"variant": "shogi", "ruleset": "ttakji",
    "position": "8k/9/9/9/9/9/9/9/K6R1 b - 1",
    "moves": ["2i1i","1a2a","1i2i","2a1a","2i1i","1a2a","1i2i","2a1a","2i1i","1a2a","1i2i","2a1a"],
    "expect": {"status": "perpetual_check_loss", "winner": "gote", "at_ply": 12}})";

TEST(CheckRecordTest, Outcomes) {
  ExpectEachClaimChecked(
      Parsed(kPerpetual),
      {{"/expect/status", "repetition_draw", "status: got \"perpetual_check_loss\""},
       {"/expect/status", "no such word", "unknown status"},
       {"/expect/status", "declaration_refused", "status: got"},
       {"/expect/winner", "none", "winner: got \"gote\", want \"none\""},
       {"/expect/winner", "white", "unknown winner"},
       {"/expect/at_ply", 11, "at_ply: got 12, want 11"},
       {"/expect", "checkmate", "not an object"},
       {"/ruleset", "lishogi", "UNKNOWN_RULESET"},
       {"/moves/3", "2a2b", "ply 3 2a2b: the move leaves your own king in check"},
       {"/moves/0", "2i2z", "ply 0 2i2z: "},
       {"/action", "resign", "unknown action"}});
}

TEST(CheckRecordTest, EveryNamedRulesetIsKnown) {
  for (const char* ruleset :
       {"ttakji", "wikipedia", "csa27", "chessplayx", "standard", "professional"}) {
    json record = Parsed(kPerpetual);
    record["ruleset"] = ruleset;
    EXPECT_EQ(Check(record).outcome, Outcome::kPassed) << ruleset << Check(record).message;
  }
}

// Both kings have entered; First has 28 points and ten pieces in the zone.
const char kDeclared[] = R"({"variant": "shogi", "ruleset": "csa27",
    "position": "K+R+B+P+P+P+P2/GGSS5/9/9/9/9/9/9/5k3 b RBGGSS 1", "moves": [], "action": "declare",
    "expect": {"status": "declaration_win", "winner": "sente", "at_ply": 0}})";

TEST(CheckRecordTest, Declarations) {
  ExpectEachClaimChecked(Parsed(kDeclared),
                         {{"/expect/status", "declaration_refused", "status: got"},
                          {"/expect/winner", "gote", "winner: got"},
                          {"/action", "agree_impasse", "status: got \"declaration_refused\""},
                          {"/by", "gote", "status: got \"declaration_refused\""},
                          {"/by", "white", "unknown side"},
                          {"/ruleset", "wikipedia", "status: got \"declaration_refused\""}});
  json refused = Parsed(kDeclared);
  refused["by"] = "gote";
  refused["expect"] = {{"status", "declaration_refused"}, {"winner", "none"}, {"at_ply", 0}};
  EXPECT_EQ(Check(refused).outcome, Outcome::kPassed) << Check(refused).message;
}

TEST(CheckRecordTest, MoveNumbersCountOnRequest) {
  const json record = Parsed(R"({"variant": "shogi", "ruleset": "ttakji",
      "position": "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 399",
      "moves": ["7g7f", "3c3d"], "ply_offset_from_sfen": true,
      "expect": {"status": "max_moves_draw", "winner": "none", "at_ply": 2}})");
  ExpectEachClaimChecked(record, {{"/ply_offset_from_sfen", false, "status: got \"ongoing\""}});
}

TEST(CheckRecordTest, AnIllegalMoveLosesWhereTheRulesetSaysSo) {
  const json record = Parsed(R"({"variant": "shogi", "ruleset": "wikipedia", "position": "startpos",
      "moves": ["7g7f", "3c3e"],
      "expect": {"status": "illegal_move_loss", "winner": "sente", "at_ply": 1}})");
  ExpectEachClaimChecked(
      record, {{"/ruleset", "ttakji", "ply 1 3c3e: "}, {"/expect/winner", "gote", "winner"}});
}

TEST(CheckRecordTest, RepetitionTable) {
  const json record = Parsed(R"({"variant": "minishogi", "ruleset": "chessplayx", "occurrences": 4,
      "sente_checked_with_every_move_since_first": false,
      "gote_checked_with_every_move_since_first": false,
      "expect": {"status": "repetition_gote_win", "winner": "gote"}})");
  ExpectEachClaimChecked(
      record, {{"/occurrences", 3, "status: got \"ongoing\""},
               {"/gote_checked_with_every_move_since_first", true, "perpetual_check_loss"},
               {"/expect/winner", "none", "winner"}});
}

TEST(CheckRecordTest, Games) {
  const json record = Parsed(R"({"variant": "shogi", "position": "startpos",
      "moves": ["7g7f", "3c3d", "8h2b+"], "plies": 3, "ended_by": "resign", "winner": "sente",
      "final_sfen":
          "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 4",
      "status_by_ttakji_rules": {"status": "ongoing", "winner": "none", "at_ply": 3},
      "next_move": {"move": "3a2b", "legal": true, "why": "ok"}})");
  ExpectEachClaimChecked(record, {{"/plies", 4, "plies: got 3"},
                                  {"/final_sfen", "startpos", "final_sfen: got"},
                                  {"/status_by_ttakji_rules/status", "checkmate", "status"},
                                  {"/status_by_ttakji_rules/at_ply", 2, "at_ply"},
                                  {"/next_move/legal", false, "legal"},
                                  {"/next_move/move", "5a5b+", "legal"},
                                  {"/moves/1", "3c3e", "ply 1 3c3e"}});
}

TEST(CheckRecordTest, GamesWithLegalCounts) {
  const json record = Parsed(R"({"variant": "xiangqi", "position": "startpos", "moves": ["h2e2"],
      "board_status": "ongoing", "end": "not decided on the board", "result": "1-0",
      "legal_counts": [44, 45],
      "final_fen":
          "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1"})");
  ExpectEachClaimChecked(record, {{"/board_status", "checkmate", "status"},
                                  {"/legal_counts/1", 43, "legal moves at ply 1: got 45"},
                                  {"/legal_counts", {44}, "number of legal_counts"},
                                  {"/final_fen", "", "final_fen"}});
}

TEST(CheckRecordTest, Playouts) {
  const json record = Parsed(R"({"variant": "minishogi", "position": "4k/5/4G/5/4K b G 1",
      "moves": "G*1b", "legal_counts": [29, 0], "plies": 1, "end": "checkmate",
      "final_check": true, "final_sfen": "4k/4G/4G/5/4K w - 2", "pawn_drop_mate_plies": [],
      "expect": {"status": "checkmate", "winner": "sente", "at_ply": 1}})");
  ExpectEachClaimChecked(record, {{"/legal_counts/0", 25, "legal moves at ply 0"},
                                  {"/end", "no_legal_move", "check at the end"},
                                  {"/end", "stopped", "unknown end"},
                                  {"/final_check", false, "final_check"},
                                  {"/final_sfen", "startpos", "final_sfen"},
                                  {"/pawn_drop_mate_plies", {0}, "pawn_drop_mate_plies"},
                                  {"/plies", 2, "plies"},
                                  {"/expect/winner", "gote", "winner"}});
}

TEST(CheckRecordTest, PlayoutsTellWherePawnDropsMate) {
  const json record = Parsed(R"({"variant": "shogi", "position": "7nk/9/8G/9/9/9/9/9/K8 b P 1",
      "moves": [], "legal_counts": [76], "pawn_drop_mate_plies": [0]})");
  ExpectEachClaimChecked(record, {{"/pawn_drop_mate_plies", json::array(), "got [0], want []"}});
}

TEST(CheckRecordTest, ShogiNotation) {
  const json record = Parsed(R"json({"variant": "shogi", "move": "4f5e", "last_to": "5e",
      "position": "8k/9/9/9/4p4/3G1G3/9/9/K8 b - 1", "western": "G4fx5e", "japanese": "▲同　金右",
      "kif": "同　金(46)", "csa": "+4655KI", "western_numeric": "G46x55",
      "western_alt": "G4f5e"})json");
  ExpectEachClaimChecked(record, {{"/western", "Gx5e", "western: got"},
                                  {"/japanese", "▲同　金", "japanese: got"},
                                  {"/kif", "５五金(46)", "kif: got"},
                                  {"/csa", "+4655FU", "csa: got"},
                                  {"/western_numeric", "G46-55", "western_numeric: got"},
                                  {"/western_alt", "G6fx5e", "western_alt \"G6fx5e\" read"},
                                  {"/last_to", nullptr, "got \"▲５五金右\""},
                                  {"/last_to", "z", "not a square"},
                                  {"/move", "4f5f+", "the move is illegal: cannot_promote"},
                                  {"/wxf", "G1+1", "WRONG_NOTATION"}});
}

TEST(CheckRecordTest, XiangqiNotation) {
  const json record = Parsed(R"({"variant": "xiangqi", "position": "startpos", "move": "g0e2",
      "wxf": "E3+5", "chinese": "相三進五", "vietnamese": "Tg3.5",
      "vietnamese_long": "tượng 3 tấn 5", "iccs": "G0-E2",
      "alt": {"chinese": ["相三进五"], "vietnamese": ["T3.5"], "wxf": []}})");
  ExpectEachClaimChecked(record, {{"/wxf", "E3+1", "wxf: got"},
                                  {"/chinese", "相七進五", "chinese: got"},
                                  {"/vietnamese", "T3.5", "vietnamese: got"},
                                  {"/vietnamese_long", "tướng 3 tấn 5", "vietnamese_long: got"},
                                  {"/iccs", "g0e2", "iccs: got"},
                                  {"/alt/chinese/0", "相三进一", "alt.chinese"},
                                  {"/alt/vietnamese/0", "T3.1", "alt.vietnamese"},
                                  {"/alt/wxf", {"E3+1"}, "alt.wxf"},
                                  {"/alt/morse", {"E3+1"}, "unknown notation"}});
}

TEST(CheckRecordTest, WhatIsNoRecordFails) {
  for (const char* text : {"[]", "7", "null", "\"x\"", "{}", R"({"id": "a", "position": 7})",
                           R"({"nodes": "many"})", R"({"nodes": 18446744073709551615})",
                           R"({"legal": true})", R"({"moves": 7, "variant": "shogi"})",
                           R"({"moves": [7], "variant": "shogi", "position": "startpos"})",
                           R"({"move": "7g7f", "alt": [], "variant": "shogi", "position": ""})",
                           R"({"occurrences": 4, "variant": "shogi"})"}) {
    EXPECT_EQ(Check(Parsed(text)).outcome, Outcome::kFailed) << text;
  }
}

}  // namespace
}  // namespace komadai::conformance
