#include "services/matchmaking/store/attendance_store.h"

#include <utility>
#include <vector>

namespace komadai::matchmaking {
namespace {

using livestore::Change;
using livestore::Document;
using livestore::Transaction;

constexpr char kPartition[] = "attendance";
constexpr char kReplicas[] = "replicas";  // by the instant until which their report holds

}  // namespace

Task<Status> AttendanceStore::Report(std::string replica, int players, TimePoint until) {
  stored_pb::StoredAttendance attendance;
  attendance.set_players(players);
  Transaction transaction;
  transaction.partition = kPartition;
  Change& change = transaction.changes.emplace_back();
  change.name = "replica/" + replica;
  change.expected_version = livestore::kAnyVersion;
  change.put_body = attendance.SerializeAsString();
  change.indexes.push_back({kReplicas, ToUnixMillis(until)});
  Result<bool> committed = co_await CommitIn(store_, std::move(transaction));
  if (!committed) co_return std::move(committed).error();
  co_return Status();
}

Task<Result<int>> AttendanceStore::Total(TimePoint now) {
  livestore::IndexQuery query;
  query.partition = kPartition;
  query.index = kReplicas;
  Result<std::vector<livestore::IndexEntry>> replicas = co_await store_.ReadIndex(std::move(query));
  if (!replicas) co_return std::move(replicas).error();
  std::vector<std::string> present;
  Transaction gone;
  gone.partition = kPartition;
  for (const livestore::IndexEntry& replica : *replicas) {
    if (replica.score > ToUnixMillis(now)) {
      present.push_back(replica.name);
    } else if (gone.changes.size() < livestore::kMaxChanges) {
      Change& change = gone.changes.emplace_back();
      change.name = replica.name;
      change.expected_version = livestore::kAnyVersion;  // it reports again if it returns
      change.delete_document = true;
    }
  }
  if (!gone.changes.empty()) (void)co_await CommitIn(store_, std::move(gone));
  if (present.empty()) co_return 0;
  Result<std::vector<std::optional<Document>>> documents =
      co_await store_.LoadMany(kPartition, std::move(present));
  if (!documents) co_return std::move(documents).error();
  int players = 0;
  for (const std::optional<Document>& document : *documents) {
    Result<Versioned<stored_pb::StoredAttendance>> entry =
        ReadEntry<stored_pb::StoredAttendance>(document);
    if (entry) players += entry->value.players();
  }
  co_return players;
}

}  // namespace komadai::matchmaking
