// What the game service asks the rules. Two adapters answer: `remote` (the rules service's
// contract) and `linked` (libs/rules in this process); one suite tests both.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/rpc/call.h"
#include "services/game/domain/game.h"

namespace komadai::game {

struct AppliedMove {
  std::string move;  // normal form
  BoardState board;
  std::string history_entry;
  std::optional<GameResult> result;
  // The ruleset says that this illegal move loses: `result` is set, the move is not played.
  bool illegal = false;
};

// One side's impasse count.
struct ImpasseCount {
  int points = 0;
  int handicap_credit = 0;
  int pieces_in_zone = 0;
  bool king_in_zone = false;
};

struct ImpasseReport {
  std::array<ImpasseCount, 2> sides;  // by Index(Side)
  bool may_declare = false;
  std::vector<std::string> failed_conditions;  // names, e.g. "KING_NOT_IN_ZONE"
  std::optional<GameResult> result_if_declared;
};

class RulesPort {
 public:
  virtual ~RulesPort() = default;
  // The setup with every default spelled out; a start position that is already over is refused.
  virtual Task<Result<Setup>> Normalise(rpc::Call call, Setup wish) = 0;
  // Plays `move` after (position, history) at `ply`. Refusals are the rules' own reasons.
  virtual Task<Result<AppliedMove>> Apply(rpc::Call call, Setup setup, std::string position,
                                          std::string history, std::string move) = 0;
  // The board after `moves`, replayed from the start.
  virtual Task<Result<BoardState>> Replay(rpc::Call call, Setup setup,
                                          std::vector<std::string> moves) = 0;
  // What a declaration by the side to move would mean.
  virtual Task<Result<ImpasseReport>> Impasse(rpc::Call call, Setup setup,
                                              std::string position) = 0;
  // What a count that both players want would mean after `moves` from the start.
  virtual Task<Result<ImpasseReport>> AgreedImpasse(rpc::Call call, Setup setup,
                                                    std::vector<std::string> moves) = 0;
};

}  // namespace komadai::game
