#include "services/matchmaking/app/conduct.h"

#include <utility>
#include <vector>

#include "libs/base/when_all.h"
#include "services/matchmaking/domain/cooldown.h"

namespace komadai::matchmaking {
namespace {

constexpr std::size_t kMaxReviewed = 8;  // the latest; who plays more at once is not asked for all
constexpr int kMaxOffences = 20;
constexpr int kRecentOpponents = 3;
constexpr int kBalancedGames = 10;

}  // namespace

bool AtFault(const game::v1::Game& game, common_pb::Side side) {
  switch (game.result().ending()) {
    case common_pb::ENDING_ABORTED:
      return game.aborted_by() == side;
    case common_pb::ENDING_ABANDONED:  // claimed by the one whose turn it was not
      return game.side_to_move() == side;
    default:
      return false;
  }
}

Task<ReviewedHistory> Review(GamePort& games, rpc::Call call, stored_pb::StoredHistory history) {
  std::vector<int> open;
  for (int i = history.games_size() - 1; i >= 0 && open.size() < kMaxReviewed; --i) {
    if (!history.games(i).judged()) open.push_back(i);
  }
  std::vector<Task<Result<game::v1::Game>>> asked;
  for (const int i : open) asked.push_back(games.Get(call, history.games(i).game_id()));
  std::vector<Result<game::v1::Game>> found = co_await WhenAll(std::move(asked));
  bool changed = false;
  for (std::size_t i = 0; i < open.size(); ++i) {
    stored_pb::HistoricGame& game = *history.mutable_games(open[i]);
    const bool forgotten = !found[i] && found[i].error().code() == Code::kNotFound;
    if (!forgotten && (!found[i] || !found[i]->has_result())) continue;
    game.set_judged(true);
    changed = true;
    if (forgotten || !AtFault(*found[i], game.side())) continue;
    history.add_offences_ms(found[i]->ended_at_ms());
  }
  auto& offences = *history.mutable_offences_ms();
  if (offences.size() > kMaxOffences) {
    offences.erase(offences.begin(), offences.end() - kMaxOffences);
  }
  co_return ReviewedHistory{std::move(history), changed};
}

std::optional<TimePoint> CooldownOf(const stored_pb::StoredHistory& history, TimePoint now) {
  std::vector<TimePoint> offences;
  for (const std::int64_t at_ms : history.offences_ms()) offences.push_back(FromUnixMillis(at_ms));
  return CooldownUntil(offences, now);
}

void Recall(const stored_pb::StoredHistory& history, int exclude_last,
            stored_pb::StoredSeek& seek) {
  int opponents = 0;
  int even = 0;
  int balance = 0;
  for (int i = history.games_size() - 1; i >= 0; --i) {
    const stored_pb::HistoricGame& game = history.games(i);
    if (!game.opponent_id().empty()) {
      if (opponents < exclude_last) seek.add_excluded(game.opponent_id());
      if (opponents < kRecentOpponents) seek.add_recent_opponents(game.opponent_id());
      ++opponents;
    }
    if (game.handicap() || even >= kBalancedGames) continue;
    ++even;
    balance += game.side() == common_pb::SIDE_FIRST ? 1 : -1;
  }
  seek.set_first_balance(balance);
}

}  // namespace komadai::matchmaking
