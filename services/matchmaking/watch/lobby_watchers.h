// LobbyWatchers: everybody who watches the lobby at this replica. The board is read once for all,
// and one message goes to everybody who watches the same variant in the same way.
#pragma once

#include <memory>
#include <vector>

#include "libs/base/mutex.h"
#include "libs/rpc/server/event_stream.h"
#include "services/matchmaking/app/lobby_board.h"

namespace komadai::matchmaking {

class LobbyWatchers {
 public:
  using Stream = rpc::EventStream<pb::WatchLobbyResponse>;

  explicit LobbyWatchers(LobbyBoard& board) : board_(board) {}

  // Sends the whole lobby, and then every change of it. INVALID_REQUEST.
  // With `changes` only what has changed is sent, as long as the watcher keeps up.
  Task<Status> Add(common_pb::Variant variant, bool changes, std::shared_ptr<Stream> stream);
  // Reads the lobby and sends it to everybody whose version has changed; once a second.
  Task<void> Tell();

 private:
  struct Watcher {
    std::weak_ptr<Stream> stream;
    std::size_t version = 0;
    bool changes = false;
    LobbyBoard::Message sent;  // what the watcher has: always a whole lobby
  };

  LobbyBoard& board_;
  Mutex mutex_;
  std::vector<Watcher> watchers_ KOMADAI_GUARDED_BY(mutex_);
};

}  // namespace komadai::matchmaking
