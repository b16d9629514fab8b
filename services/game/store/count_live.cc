// Counts of live games: the sum over all shards, asked for at once.
#include <utility>
#include <vector>

#include "libs/base/when_all.h"
#include "services/game/store/game_store.h"

namespace komadai::game {
namespace {

constexpr Millis kFresh{1000};

}  // namespace

Task<Result<std::int64_t>> GameStore::CountLive(Variant variant, TimePoint now) {
  {
    const MutexLock lock(mutex_);
    const auto known = live_counts_.find(variant);
    if (known != live_counts_.end() && now < known->second.at + kFresh) {
      co_return known->second.games;
    }
  }
  const std::string index = "live/" + std::string(rules::VariantName(variant));
  std::vector<Task<Result<std::int64_t>>> counts;
  for (int shard = 0; shard < kShards; ++shard) {
    counts.push_back(store_.CountIndex("game:" + std::to_string(shard), index,
                                       -livestore::kMaxScore, livestore::kMaxScore));
  }
  std::vector<Result<std::int64_t>> results = co_await WhenAll(std::move(counts));
  std::int64_t games = 0;
  for (Result<std::int64_t>& count : results) {
    if (!count) co_return std::move(count).error();
    games += *count;
  }
  const MutexLock lock(mutex_);
  live_counts_[variant] = {games, now};
  co_return games;
}

}  // namespace komadai::game
