// The rules asked over their contract: the default for separate processes.
#pragma once

#include "komadai/rules/v1/rules.grpc.pb.h"
#include "libs/rpc/client.h"
#include "services/game/ports/rules_port.h"

namespace komadai::game {

class RemoteRules final : public RulesPort {
 public:
  explicit RemoteRules(rpc::BindContext& context) : rules_(context, "rules") {}

  Task<Result<Setup>> Normalise(rpc::Call call, Setup wish) override;
  Task<Result<AppliedMove>> Apply(rpc::Call call, Setup setup, std::string position,
                                  std::string history, std::string move) override;
  Task<Result<BoardState>> Replay(rpc::Call call, Setup setup,
                                  std::vector<std::string> moves) override;
  Task<Result<ImpasseReport>> Impasse(rpc::Call call, Setup setup, std::string position) override;

 private:
  rpc::Client<rules::v1::RulesService> rules_;
};

}  // namespace komadai::game
