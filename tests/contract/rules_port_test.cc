// What every adapter of the rules port must do: libs/rules in this process, and the rules service
// over gRPC.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "libs/base/sync_wait.h"
#include "libs/base/when_all.h"
#include "libs/rpc/testing/test_server.h"
#include "services/game/ports/linked_rules.h"
#include "services/game/ports/remote_rules.h"
#include "services/rules/bind.h"

namespace komadai::game {
namespace {

struct Adapter {
  const char* name;
  std::function<std::unique_ptr<RulesPort>(rpc::BindContext&)> make;
};

class NoServices final : public rpc::Component {
 public:
  std::vector<rpc::Service*> Services() override { return {}; }
};

class RulesPortTest : public testing::TestWithParam<Adapter> {
 protected:
  void SetUp() override {
    rpc::ComponentSpec game;
    game.name = "game";
    game.dependencies = {"rules"};
    game.bind = [this](rpc::BindContext& context) -> Result<std::unique_ptr<rpc::Component>> {
      port_ = GetParam().make(context);
      return std::unique_ptr<rpc::Component>(std::make_unique<NoServices>());
    };
    server_ = std::make_unique<rpc::TestServer>(
        std::vector<rpc::ComponentSpec>{rules_service::RulesComponent(), std::move(game)});
  }

  rpc::Call Call() { return rpc::Call::Background("rules-port-test", time_, Millis(20000)); }

  // Qualified, since the base class has a Setup of its own.
  game::Setup Normal(Variant variant, const std::string& ruleset,
                     const std::string& position = "") {
    game::Setup wish;
    wish.variant = variant;
    wish.ruleset = *rules::FindRuleset(variant, ruleset);
    wish.ruleset_base = wish.ruleset.id;
    wish.start_position = position;
    Result<game::Setup> setup = SyncWait(port_->Normalise(Call(), wish));
    EXPECT_TRUE(setup) << setup.error().ToString();
    return setup ? *setup : wish;
  }

  // Plays `moves` one after the other, each on what the one before answered.
  AppliedMove PlayAll(const game::Setup& setup, const std::vector<std::string>& moves) {
    AppliedMove last;
    std::string position = setup.start_position;
    std::string history;
    for (const std::string& move : moves) {
      Result<AppliedMove> applied = SyncWait(port_->Apply(Call(), setup, position, history, move));
      EXPECT_TRUE(applied) << move << ": " << applied.error().ToString();
      if (!applied) return last;
      last = *applied;
      position = last.board.position;
      history += last.history_entry;
    }
    return last;
  }

  SystemTimeSource time_;
  std::unique_ptr<RulesPort> port_;
  std::unique_ptr<rpc::TestServer> server_;
};

TEST_P(RulesPortTest, NormalisesASetup) {
  const game::Setup setup = Normal(Variant::kMinishogi, "");
  EXPECT_EQ(setup.start_position, "rbsgk/4p/5/P4/KGSBR b - 1");
  EXPECT_EQ(setup.ruleset_base, "standard");
  EXPECT_EQ(setup.moves_first, Side::kFirst);
}

TEST_P(RulesPortTest, PlaysMoveAfterMoveUntilMate) {
  const game::Setup setup = Normal(Variant::kShogi, "", "4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1");
  const AppliedMove first = PlayAll(setup, {"G*5b"});
  ASSERT_TRUE(first.result.has_value());
  EXPECT_EQ(first.result->ending, Ending::kCheckmate);
  EXPECT_EQ(first.result->outcome, Outcome::kFirstWins);
  EXPECT_TRUE(first.board.check);
}

TEST_P(RulesPortTest, CountsOccurrences) {
  const game::Setup setup = Normal(Variant::kShogi, "");
  const AppliedMove back = PlayAll(setup, {"2h3h", "8b7b", "3h2h", "7b8b"});
  EXPECT_EQ(back.board.occurrences, 2);
  EXPECT_EQ(back.board.to_move, Side::kFirst);
  EXPECT_FALSE(back.result.has_value());
}

TEST_P(RulesPortTest, RefusesWithTheRulesOwnReason) {
  const game::Setup setup = Normal(Variant::kShogi, "");
  const Result<AppliedMove> refused =
      SyncWait(port_->Apply(Call(), setup, setup.start_position, "", "7g7e"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Code::kInvalidArgument);
  EXPECT_EQ(refused.error().reason(), "BAD_GEOMETRY");
}

TEST_P(RulesPortTest, ManyGamesAtOnceGetTheirOwnAnswers) {
  const game::Setup setup = Normal(Variant::kShogi, "");
  const std::vector<std::string> openings = {"7g7f", "2g2f", "7g7e", "5g5f"};
  std::vector<Task<Result<AppliedMove>>> tasks;
  constexpr std::size_t kGames = 100;
  for (std::size_t game = 0; game < kGames; ++game) {
    tasks.push_back(
        port_->Apply(Call(), setup, setup.start_position, "", openings[game % openings.size()]));
  }
  const std::vector<Result<AppliedMove>> outcomes = SyncWait(WhenAll(std::move(tasks)));
  ASSERT_EQ(outcomes.size(), kGames);
  for (std::size_t game = 0; game < kGames; ++game) {
    const std::string& move = openings[game % openings.size()];
    ASSERT_EQ(outcomes[game].has_value(), move != "7g7e") << move;
    if (outcomes[game]) EXPECT_EQ(outcomes[game]->move, move);
  }
}

TEST_P(RulesPortTest, AnIllegalMoveLosesWhereTheRulesetSaysSo) {
  game::Setup wish;
  wish.variant = Variant::kShogi;
  wish.ruleset = *rules::FindRuleset(Variant::kShogi, "standard");
  wish.ruleset.illegal_move_loses = true;
  wish.ruleset.id = "custom";
  wish.ruleset_base = "standard";
  const Result<game::Setup> setup = SyncWait(port_->Normalise(Call(), wish));
  ASSERT_TRUE(setup) << setup.error().ToString();
  const Result<AppliedMove> lost =
      SyncWait(port_->Apply(Call(), *setup, setup->start_position, "", "7g7e"));
  ASSERT_TRUE(lost) << lost.error().ToString();
  EXPECT_TRUE(lost->illegal);
  ASSERT_TRUE(lost->result.has_value());
  EXPECT_EQ(lost->result->outcome, Outcome::kSecondWins);
}

TEST_P(RulesPortTest, ReplaysAndExplainsAnImpasse) {
  const game::Setup setup = Normal(Variant::kShogi, "");
  const Result<BoardState> board = SyncWait(port_->Replay(Call(), setup, {"7g7f", "3c3d"}));
  ASSERT_TRUE(board) << board.error().ToString();
  EXPECT_EQ(board->to_move, Side::kFirst);
  const Result<ImpasseReport> report = SyncWait(port_->Impasse(Call(), setup, board->position));
  ASSERT_TRUE(report) << report.error().ToString();
  EXPECT_FALSE(report->may_declare);
  EXPECT_FALSE(report->failed_conditions.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Adapters, RulesPortTest,
    testing::Values(Adapter{"linked",
                            [](rpc::BindContext&) -> std::unique_ptr<RulesPort> {
                              return std::make_unique<LinkedRules>();
                            }},
                    Adapter{"remote",
                            [](rpc::BindContext& context) -> std::unique_ptr<RulesPort> {
                              return std::make_unique<RemoteRules>(context);
                            }}),
    [](const auto& suite) { return std::string(suite.param.name); });

}  // namespace
}  // namespace komadai::game
