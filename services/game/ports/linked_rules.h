// The rules linked into this process: an operator's choice for speed.
#pragma once

#include "services/game/ports/rules_port.h"

namespace komadai::game {

class LinkedRules final : public RulesPort {
 public:
  Task<Result<Setup>> Normalise(rpc::Call call, Setup wish) override;
  Task<Result<AppliedMove>> Apply(rpc::Call call, Setup setup, std::string position,
                                  std::string history, std::string move) override;
  Task<Result<BoardState>> Replay(rpc::Call call, Setup setup,
                                  std::vector<std::string> moves) override;
  Task<Result<ImpasseReport>> Impasse(rpc::Call call, Setup setup, std::string position) override;
  Task<Result<ImpasseReport>> AgreedImpasse(rpc::Call call, Setup setup,
                                            std::vector<std::string> moves) override;
};

}  // namespace komadai::game
