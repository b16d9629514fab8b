// The rules asked over their contract: the default for separate processes. Moves go in batches:
// they are the hot call.
#pragma once

#include <string>
#include <vector>

#include "komadai/rules/v1/rules.pb.h"
#include "libs/rpc/client/batcher.h"
#include "libs/rpc/client/client.h"
#include "services/game/ports/rules_port.h"

namespace komadai::game {

class RemoteRules final : public RulesPort {
 public:
  explicit RemoteRules(rpc::BindContext& context);

  Task<Result<Setup>> Normalise(rpc::Call call, Setup wish) override;
  Task<Result<AppliedMove>> Apply(rpc::Call call, Setup setup, std::string position,
                                  std::string history, std::string move) override;
  Task<Result<BoardState>> Replay(rpc::Call call, Setup setup,
                                  std::vector<std::string> moves) override;
  Task<Result<ImpasseReport>> Impasse(rpc::Call call, Setup setup, std::string position) override;
  Task<Result<ImpasseReport>> AgreedImpasse(rpc::Call call, Setup setup,
                                            std::vector<std::string> moves) override;

 private:
  struct WaitingMove {
    rules::v1::ApplyMoveRequest request;
    std::string request_id;  // of the call that made it
  };
  using Moves = rpc::Batcher<WaitingMove, AppliedMove>;

  Task<Moves::Outcomes> ApplyAll(std::vector<WaitingMove> moves, rpc::Deadline latest);

  const TimeSource& time_;
  rpc::Client rules_;
  Moves moves_;
};

}  // namespace komadai::game
