#include "services/matchmaking/watch/lobby_watchers.h"

#include <utility>

namespace komadai::matchmaking {
namespace {

// A board that is told from every second is never older while somebody watches.
constexpr Millis kFreshEnough{2000};
// Messages that wait for one watcher: more, and it gets the next lobby instead of all of them.
constexpr std::size_t kMaxQueuedLobbies = 2;

}  // namespace

Task<Status> LobbyWatchers::Add(common_pb::Variant variant, bool changes,
                                std::shared_ptr<Stream> stream) {
  Result<LobbyBoard::Message> message = co_await board_.Read(variant, kFreshEnough);
  if (!message) co_return std::move(message).error();
  stream->Publish(*message);
  const MutexLock lock(mutex_);
  watchers_.push_back({stream, *LobbyBoard::VersionOf(variant), changes, *message});
  co_return Status();
}

Task<void> LobbyWatchers::Tell() {
  {
    const MutexLock lock(mutex_);
    std::erase_if(watchers_, [](const Watcher& watcher) {
      const std::shared_ptr<Stream> stream = watcher.stream.lock();
      return stream == nullptr || stream->Ended();
    });
    if (watchers_.empty()) co_return;
  }
  Result<LobbyBoard::Changes> changes = co_await board_.Refresh();
  if (!changes) co_return;  // the store is away: the next round will tell
  std::vector<std::pair<std::shared_ptr<Stream>, LobbyBoard::Message>> due;
  {
    const MutexLock lock(mutex_);
    for (Watcher& watcher : watchers_) {
      const LobbyBoard::Message& now = changes->versions[watcher.version];
      if (watcher.sent == now) continue;
      std::shared_ptr<Stream> stream = watcher.stream.lock();
      if (stream == nullptr || stream->Queued() >= kMaxQueuedLobbies) continue;
      const bool kept_up = watcher.sent == changes->before[watcher.version];
      const bool difference = watcher.changes && kept_up;
      watcher.sent = now;
      due.emplace_back(std::move(stream), difference ? changes->differences[watcher.version] : now);
    }
  }
  for (const auto& [stream, message] : due) stream->Publish(message);
}

}  // namespace komadai::matchmaking
