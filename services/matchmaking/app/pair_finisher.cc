#include "services/matchmaking/app/pair_finisher.h"

#include <utility>

#include "libs/base/when_all.h"
#include "libs/convert/variant.h"

namespace komadai::matchmaking {
namespace {

constexpr int kMaxHistory = 20;
constexpr Millis kCreationTimeout{10'000};
// A pair whose game came so late is not blamed for not beginning it.
constexpr Millis kTooLateToBlame{30'000};

// Whether the answer means that there is no such game and will be none.
bool Refused(const Error& error) {
  switch (error.code()) {
    case Code::kInvalidArgument:
    case Code::kNotFound:
    case Code::kAlreadyExists:
    case Code::kPermissionDenied:
    case Code::kFailedPrecondition:
    case Code::kOutOfRange:
    case Code::kUnimplemented:
      return true;
    default:
      return error.Is(kTooManyGames);
  }
}

std::string MetadataOf(const Error& error, const std::string& key) {
  const auto found = error.metadata().find(key);
  return found == error.metadata().end() ? "" : found->second;
}

}  // namespace

bool PairFinisher::Enqueue(SeekEntry paired) {
  {
    const MutexLock lock(mutex_);
    const std::string& match_id = paired.value.pairing().match_id();
    if (in_hand_.contains(match_id)) return true;
    const bool idle = running_ < limits_.running;
    if (!idle && queue_.size() >= limits_.queued) {
      metrics_.Postponed();
      return false;
    }
    in_hand_.insert(match_id);
    if (!idle) {
      queue_.push_back(std::move(paired));
      metrics_.Queued(queue_.size());
      return true;
    }
    ++running_;
  }
  (void)group_.Spawn(WorkOff(std::move(paired)));
  return true;
}

Task<void> PairFinisher::WorkOff(SeekEntry entry) {
  for (;;) {
    const std::string match_id = entry.value.pairing().match_id();
    const rpc::Call call = rpc::Call::Background("match-" + match_id, time_, kCreationTimeout);
    (void)co_await Finish(call, std::move(entry));  // the sweep finds what failed
    const MutexLock lock(mutex_);
    in_hand_.erase(match_id);
    if (queue_.empty() || group_.stopping()) {
      --running_;
      co_return;
    }
    entry = std::move(queue_.front());
    queue_.pop_front();
    metrics_.Queued(queue_.size());
  }
}

Task<Result<SeekEntry>> PairFinisher::Finish(rpc::Call call, SeekEntry entry) {
  const stored_pb::Pairing pairing = entry.value.pairing();
  const std::string own_id = entry.value.seek().seek_id();
  std::vector<std::string> seek_ids{own_id};
  if (!pairing.other_seek_id().empty()) seek_ids.push_back(pairing.other_seek_id());
  Match match = MatchOf(pairing);
  Result<std::string> game_id = co_await games_.Create(call, std::move(match));
  Result<std::size_t> changed = std::size_t{0};
  if (game_id) {
    changed = co_await Close(std::move(seek_ids), pairing, *game_id);
  } else {
    const Error& error = game_id.error();
    if (!Refused(error)) co_return error;
    Refusal refusal;
    refusal.seek_ids = std::move(seek_ids);
    refusal.match_id = pairing.match_id();
    refusal.reason = error.reason();
    // A game that is invalid now would be invalid again, so both seeks end. A player with too many
    // games leaves the queue; the other returns to it with the time already waited.
    refusal.both = error.code() == Code::kInvalidArgument;
    if (error.Is(kTooManyGames)) refusal.to_blame = MetadataOf(error, "player");
    changed = co_await Dissolve(std::move(refusal));
  }
  if (!changed) co_return std::move(changed).error();
  Result<SeekEntry> now = co_await store_.Load(own_id);
  co_return now;
}

Task<Result<std::size_t>> PairFinisher::Close(std::vector<std::string> seek_ids,
                                              stored_pb::Pairing pairing, std::string game_id) {
  return livestore::UntilCommitted(
      kMaxAttempts,
      [this, seek_ids, pairing, game_id](int) { return TryClose(seek_ids, pairing, game_id); },
      Contention);
}

Task<livestore::Attempt<std::size_t>> PairFinisher::TryClose(std::vector<std::string> seek_ids,
                                                             stored_pb::Pairing pairing,
                                                             std::string game_id) {
  Result<std::vector<SeekEntry>> loaded = co_await store_.LoadAll(std::move(seek_ids));
  if (!loaded) co_return std::move(loaded).error();
  std::vector<SeekEntry> seeks;
  std::vector<NewMemory> memories;
  for (SeekEntry& entry : *loaded) {
    const std::optional<Seek> matched = BeginGame(SeekOf(entry.value), pairing.match_id(), game_id);
    if (!matched) continue;  // another replica has closed it
    Write(*matched, entry.value);
    memories.push_back(MemoryOf(entry.value.seek(), pairing));
    seeks.push_back(std::move(entry));
  }
  const std::size_t changed = seeks.size();
  if (changed == 0) co_return changed;
  Result<std::vector<SeekStore::PlayerHistory>> histories = co_await Remember(std::move(memories));
  if (!histories) co_return std::move(histories).error();
  Result<bool> put = co_await store_.Put(std::move(seeks), *std::move(histories));
  co_return Outcome(std::move(put), changed);
}

PairFinisher::NewMemory PairFinisher::MemoryOf(const pb::Seek& matched,
                                               const stored_pb::Pairing& pairing) const {
  const std::int64_t now = ToUnixMillis(time_.Now());
  NewMemory memory{matched.player().player_id(), {}};
  memory.game.set_game_id(matched.game_id());
  memory.game.set_opponent_id(matched.opponent().player_id());
  memory.game.set_side(matched.side());
  memory.game.set_handicap(HasHandicap(pairing.terms()));
  memory.game.set_at_ms(now);
  const bool against_computer = matched.opponent().kind() == common_pb::PLAYER_KIND_COMPUTER;
  const bool late = now - pairing.paired_at_ms() >= kTooLateToBlame.count();
  memory.game.set_judged(against_computer || late);
  return memory;
}

Task<Result<std::vector<SeekStore::PlayerHistory>>> PairFinisher::Remember(
    std::vector<NewMemory> memories) {
  std::vector<Task<Result<HistoryEntry>>> loads;
  for (const NewMemory& memory : memories) loads.push_back(store_.HistoryOf(memory.player_id));
  std::vector<Result<HistoryEntry>> loaded = co_await WhenAll(std::move(loads));
  std::vector<SeekStore::PlayerHistory> histories;
  for (std::size_t i = 0; i < memories.size(); ++i) {
    if (!loaded[i]) co_return std::move(loaded[i]).error();
    SeekStore::PlayerHistory history{memories[i].player_id, *std::move(loaded[i])};
    auto& games = *history.entry.value.mutable_games();
    *games.Add() = std::move(memories[i].game);
    if (games.size() > kMaxHistory) games.DeleteSubrange(0, games.size() - kMaxHistory);
    histories.push_back(std::move(history));
  }
  co_return histories;
}

Task<Result<std::size_t>> PairFinisher::Dissolve(Refusal refusal) {
  return livestore::UntilCommitted(
      kMaxAttempts, [this, refusal](int) { return TryDissolve(refusal); }, Contention);
}

Task<livestore::Attempt<std::size_t>> PairFinisher::TryDissolve(Refusal refusal) {
  Result<std::vector<SeekEntry>> loaded = co_await store_.LoadAll(std::move(refusal.seek_ids));
  if (!loaded) co_return std::move(loaded).error();
  std::vector<SeekEntry> seeks;
  for (SeekEntry& entry : *loaded) {
    const Seek seek = SeekOf(entry.value);
    const bool ends = refusal.both || entry.value.seek().player().player_id() == refusal.to_blame;
    const std::optional<Seek> parted = ends ? RefuseGame(seek, refusal.match_id, refusal.reason)
                                            : ReturnToQueue(seek, refusal.match_id);
    if (!parted) continue;  // another replica has been here
    Write(*parted, entry.value);
    seeks.push_back(std::move(entry));
  }
  const std::size_t changed = seeks.size();
  if (changed == 0) co_return changed;
  Result<bool> put = co_await store_.Put(std::move(seeks));
  if (put && *put) metrics_.Dissolved("refused");
  co_return Outcome(std::move(put), changed);
}

}  // namespace komadai::matchmaking
