// LobbyBoard: the lobby as one replica knows it. It is read from the store once for everybody who
// looks at it, in one version for each variant and one for all variants.
//
// Seeks and rooms do not change while they are listed, so a refresh reads the lists and then only
// the entries that are new in them.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "libs/base/mutex.h"
#include "libs/rpc/call.h"
#include "services/matchmaking/app/seeks.h"
#include "services/matchmaking/ports/ports.h"
#include "services/matchmaking/store/attendance_store.h"
#include "services/matchmaking/store/challenge_store.h"
#include "services/matchmaking/store/seek_store.h"

namespace komadai::matchmaking {

class LobbyBoard {
 public:
  static constexpr int kListed = 100;  // seeks and rooms each
  using Message = std::shared_ptr<const pb::WatchLobbyResponse>;

  LobbyBoard(SeekStore& seeks, ChallengeStore& challenges, AttendanceStore& attendance,
             GamePort& games, const TimeSource& time)
      : seeks_(seeks),
        challenges_(challenges),
        attendance_(attendance),
        games_(games),
        time_(time) {}

  // The lobby of one variant or (unspecified) all, read at most `age` ago. INVALID_REQUEST.
  Task<Result<Message>> Read(common_pb::Variant variant, Millis age);
  // Reads all of it from the store. The arrays are indexed by VersionOf().
  struct Changes {
    std::array<bool, 4> changed{};
    std::array<Message, 4> versions;
    // For each changed version: what has changed, and since which one (null: there was none).
    std::array<Message, 4> differences;
    std::array<Message, 4> before;
  };
  Task<Result<Changes>> Refresh();
  // Which version a variant is; nullopt for an unknown variant.
  static std::optional<std::size_t> VersionOf(common_pb::Variant variant);

 private:
  struct Part {  // of one variant
    std::vector<WaitingSeek> seeks;
    std::vector<OpenRoom> rooms;
    std::int64_t waiting = 0;
  };

  Task<Result<Part>> ReadPart(std::string variant, TimePoint now);
  Task<Status> ReadNew(std::array<Part, 3> parts);
  Task<void> ReadCounts(TimePoint now);
  // The lobbies that the parts list, from the known seeks and rooms.
  std::array<pb::Lobby, 4> Compose(const std::array<Part, 3>& parts);
  Changes Publish(std::array<pb::Lobby, 4> lobbies, TimePoint now);

  SeekStore& seeks_;
  ChallengeStore& challenges_;
  AttendanceStore& attendance_;
  GamePort& games_;
  const TimeSource& time_;

  Mutex mutex_;
  TimePoint read_at_ KOMADAI_GUARDED_BY(mutex_) = {};
  TimePoint counted_at_ KOMADAI_GUARDED_BY(mutex_) = {};
  std::array<std::string, 4> last_ KOMADAI_GUARDED_BY(mutex_);  // serialised, without the instant
  std::array<Message, 4> versions_ KOMADAI_GUARDED_BY(mutex_);
  std::unordered_map<std::string, pb::Seek> known_seeks_ KOMADAI_GUARDED_BY(mutex_);
  std::unordered_map<std::string, pb::Challenge> known_rooms_ KOMADAI_GUARDED_BY(mutex_);
  GamePort::Counts live_games_ KOMADAI_GUARDED_BY(mutex_);
  int players_online_ KOMADAI_GUARDED_BY(mutex_) = 0;
};

}  // namespace komadai::matchmaking
