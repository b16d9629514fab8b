#include "services/matchmaking/app/matchmaker.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "services/matchmaking/app/bounded.h"
#include "services/matchmaking/domain/wave.h"

namespace komadai::matchmaking {
namespace {

constexpr char kJob[] = "waves";
constexpr std::size_t kWidth = 128;  // commits under way at once
constexpr std::size_t kMaxPaces = 1000;
constexpr double kNewPace = 0.2;  // weight of the last wave in the average
constexpr Millis kWaveTimeout{5000};
constexpr Millis kLookAgain{1000};  // whether the lease has been handed over
constexpr Millis kLookAgainAtPair{10'000};

bool WantsComputer(const Waiter& waiter, TimePoint now) {
  if (!waiter.entry.value.has_computer_fallback()) return false;
  const std::int64_t after = waiter.entry.value.computer_fallback().after_seconds();
  return now - waiter.seeker.since >= Millis(after * 1000);
}

}  // namespace

SeekStore::Lease Matchmaker::lease() const {
  const MutexLock lock(mutex_);
  return lease_;
}

bool Matchmaker::IsSomebodyElses(TimePoint now) const {
  const SeekStore::Lease known = lease();
  return !known.held && now < known.until;
}

Task<bool> Matchmaker::HoldLease(TimePoint now) {
  const SeekStore::Lease known = lease();
  if (known.held && now + kLease / 2 < known.until) co_return true;
  if (IsSomebodyElses(now)) co_return false;
  Result<SeekStore::Lease> taken = co_await store_.TakeLease(kJob, replica_, now, now + kLease);
  const MutexLock lock(mutex_);
  if (taken && taken->held) {
    lease_ = *taken;
    co_return true;
  }
  // The lease is lost or the store is away: the next call looks again. Wave and sweep share the
  // lease, so the other one may have just taken it for both.
  if (lease_.held && now < lease_.until) co_return true;
  lease_ = {false, taken ? std::min(taken->until, now + kLookAgain) : now};
  co_return false;
}

Task<void> Matchmaker::HandOver() {
  const TimePoint now = time_.Now();
  if (lease().held) (void)co_await store_.TakeLease(kJob, replica_, now, now);
  const MutexLock lock(mutex_);
  lease_ = {};
}

Task<void> Matchmaker::Wave() {
  const TimePoint now = time_.Now();
  if (IsSomebodyElses(now)) co_return;
  // No commits for the lease while nobody waits.
  Result<std::int64_t> waiting = co_await store_.CountWaiting("");
  if (!waiting || *waiting == 0) co_return;
  const bool ours = co_await HoldLease(now);
  if (ours) co_await PairAll();
}

Task<void> Matchmaker::PairAll() {
  const TimePoint now = time_.Now();
  Result<Waiters> waiters = co_await room_.Look();
  if (!waiters) co_return;
  const auto began = std::chrono::steady_clock::now();
  auto pairs = std::make_shared<std::vector<Pair>>(FindPairs(*waiters, now));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  metrics_.Wave(waiters->size(), took.count());
  IndexedJob commit = [this, pairs, now](std::size_t i) { return Commit((*pairs)[i], now); };
  co_await ForEach(pairs->size(), kWidth, std::move(commit));
  co_await TellPace(*pairs, now);
}

std::vector<Matchmaker::Pair> Matchmaker::FindPairs(const Waiters& waiters, TimePoint now) {
  std::map<std::string, Waiters> kinds;
  for (const std::shared_ptr<Waiter>& waiter : waiters) kinds[waiter->kind].push_back(waiter);
  std::vector<Pair> pairs;
  ++turn_;
  for (auto& [kind, members] : kinds) {
    std::vector<const Seeker*> seekers;
    for (const std::shared_ptr<Waiter>& member : members) seekers.push_back(&member->seeker);
    std::vector<bool> paired(members.size());
    for (const WavePair& pair : MatchWave(seekers, now, turn_)) {
      paired[pair.a] = paired[pair.b] = true;
      pairs.push_back({members[pair.a], members[pair.b], pair.pool});
    }
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (!paired[i] && WantsComputer(*members[i], now)) pairs.push_back({members[i], nullptr, 0});
    }
  }
  return pairs;
}

Task<bool> Matchmaker::MayPlay(Pair pair) {
  if (pair.b == nullptr || !pair.a->entry.value.seek().terms().rated()) co_return true;
  const rpc::Call call = rpc::Call::Background("wave", time_, kWaveTimeout);
  Result<bool> may =
      co_await ratings_.MayPlayRated(call, pair.a->seeker.player_id, pair.b->seeker.player_id);
  // Without an answer they play: the limit prevents abuse and is no promise.
  if (may.value_or(true)) co_return true;
  // The two are not tried again as long as both wait.
  pair.a->seeker.excluded.push_back(pair.b->seeker.player_id);
  co_return false;
}

Task<void> Matchmaker::Commit(Pair pair, TimePoint now) {
  const bool may = co_await MayPlay(pair);
  if (!may) co_return;
  std::vector<SeekEntry> seeks{pair.a->entry};
  if (pair.b == nullptr) {
    const bool joined = JoinComputer(seeks[0], "match-" + RandomId(random_, 20), random_, now);
    if (!joined) co_return;
  } else {
    seeks.push_back(pair.b->entry);
    const bool joined =
        Join(seeks[0], seeks[1], pair.pool, "match-" + RandomId(random_, 20), random_, now);
    if (!joined) co_return;
  }
  const bool offered = IsOffered(seeks[0]);
  SeekEntry first = seeks[0];
  Result<bool> put = co_await store_.Put(std::move(seeks));
  // Whatever the outcome, these versions are outdated. If it is in doubt, the next look at the
  // queue tells.
  pair.a->stale = true;
  if (pair.b != nullptr) pair.b->stale = true;
  if (!put) co_return;
  if (!*put) {
    metrics_.Conflict();
    co_return;
  }
  if (pair.b == nullptr) {
    metrics_.MatchedWithComputer(now - pair.a->seeker.since);
  } else {
    metrics_.MatchedWithPerson(now - pair.a->seeker.since);
    metrics_.MatchedWithPerson(now - pair.b->seeker.since);
  }
  if (!offered) (void)finisher_.Enqueue(std::move(first));
}

Task<void> Matchmaker::TellPace(std::vector<Pair> pairs, TimePoint now) {
  struct Sum {
    double wait = 0;
    int seeks = 0;
  };
  std::map<std::string, Sum> sums;
  for (const Pair& pair : pairs) {
    if (pair.b == nullptr) continue;
    Sum& sum = sums[pair.a->kind];
    sum.seeks += 2;
    sum.wait += static_cast<double>((now - pair.a->seeker.since).count());
    sum.wait += static_cast<double>((now - pair.b->seeker.since).count());
  }
  if (pace_.size() > kMaxPaces) pace_.clear();  // it is only an estimate
  for (const auto& [kind, sum] : sums) {
    const double mean = sum.wait / sum.seeks;
    const auto [known, is_new] = pace_.try_emplace(kind, mean);
    if (!is_new) known->second += (mean - known->second) * kNewPace;
    const auto wait_ms = static_cast<std::int64_t>(known->second);
    (void)co_await store_.SetAverageWait(kind, wait_ms);
  }
}

Task<void> Matchmaker::Sweep() {
  const TimePoint now = time_.Now();
  if (IsSomebodyElses(now)) co_return;
  Result<std::vector<std::string>> unwatched = co_await store_.UnwatchedBefore(now);
  Result<std::vector<std::string>> offered = co_await store_.OfferedUntil(now);
  Result<std::vector<std::string>> paired = co_await store_.PairedBefore(now - kPairedGrace);
  if (!unwatched || !offered || !paired) co_return;  // the store is away: try again next time
  if (unwatched->empty() && offered->empty() && paired->empty()) co_return;
  const bool ours = co_await HoldLease(now);
  if (!ours) co_return;
  IndexedJob expire = [this, ids = *unwatched](std::size_t i) { return Expire(ids[i]); };
  co_await ForEach(unwatched->size(), kWidth, std::move(expire));
  IndexedJob end = [this, ids = *offered, now](std::size_t i) { return EndOfferOf(ids[i], now); };
  co_await ForEach(offered->size(), kWidth, std::move(end));
  Result<std::vector<SeekEntry>> entries = co_await store_.LoadAll(*paired);
  if (!entries) co_return;
  for (SeekEntry& entry : *entries) {
    if (IsPaired(entry) && !finisher_.Enqueue(std::move(entry))) co_return;  // full: the next sweep
  }
}

Task<void> Matchmaker::Expire(std::string seek_id) {
  Result<SeekEntry> entry = co_await store_.Load(seek_id);
  if (!entry) co_return;
  if (!IsOpen(*entry)) {  // somebody watched a closed seek: nothing is left to expire
    (void)co_await store_.ForgetWatch(seek_id);
    co_return;
  }
  const std::optional<Seek> expired = ExpireSeek(SeekOf(entry->value));
  if (!expired) {  // an offer or a pair ends by itself: look again later
    std::vector<std::string> ids{seek_id};
    (void)co_await store_.Touch(std::move(ids), time_.Now() + kLookAgainAtPair);
    co_return;
  }
  Write(*expired, entry->value);
  std::vector<SeekEntry> seeks{*entry};
  (void)co_await store_.Put(std::move(seeks));
}

Task<void> Matchmaker::EndOfferOf(std::string seek_id, TimePoint now) {
  Result<SeekEntry> own = co_await store_.Load(seek_id);
  if (!own) co_return;
  const Seek offered = SeekOf(own->value);
  const std::optional<Seek> ended = EndOffer(offered, now);
  if (!ended) co_return;
  Write(*ended, own->value);
  Result<SeekEntry> other = co_await store_.Load(offered.other_seek_id);
  if (!other) co_return;
  std::vector<SeekEntry> seeks{*std::move(own)};
  const Seek partner = SeekOf(other->value);
  if (partner.match_id == offered.match_id) {
    const std::optional<Seek> partner_ended = EndOffer(partner, now);
    if (partner_ended) {
      Write(*partner_ended, other->value);
      seeks.push_back(*std::move(other));
    }
  }
  Result<bool> put = co_await store_.Put(std::move(seeks));
  if (put && *put) metrics_.Dissolved("unanswered");
}

}  // namespace komadai::matchmaking
