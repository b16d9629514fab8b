// A watcher's list: a snapshot, then every event behind it, once and in order, to the end.
#include "tests/chaos/audit.h"

namespace komadai::chaos::audit {
namespace {

void CheckList(const GameEvidence& evidence, const WatchList& list, Findings& findings) {
  const auto violate = [&](const std::string& what) {
    findings.Violate(Promise::kWatching, evidence.game_id, what);
  };
  if (list.seen.empty() || !list.seen.front().snapshot) {
    return violate("a watcher began without a snapshot");
  }
  std::int64_t last = list.seen.front().sequence;
  for (std::size_t i = 1; i < list.seen.size(); ++i) {
    const Seen& seen = list.seen[i];
    if (seen.snapshot) {
      return violate("a watcher that resumed behind event " + std::to_string(last) +
                     " was given a snapshot of event " + std::to_string(seen.sequence));
    }
    ++findings.watched_events;
    if (seen.sequence != last + 1) {
      return violate(std::string(seen.sequence > last ? "a gap: " : "a repeat: ") + "event " +
                     std::to_string(seen.sequence) + " came behind event " + std::to_string(last));
    }
    last = seen.sequence;
    const auto index = static_cast<std::size_t>(last - 2);  // the journal begins with event 2
    if (index >= evidence.journal.size()) {
      return violate("a watcher saw event " + std::to_string(last) +
                     ", which is not in the journal");
    }
    if (DigestOf(evidence.journal[index]) != seen.digest) {
      return violate("event " + std::to_string(last) + " of the journal is not what was seen");
    }
  }
  if (!list.seen.back().end || !list.finished) {
    violate("a watcher never came to the end, only to event " + std::to_string(last));
  }
}

}  // namespace

void CheckWatchers(const GameEvidence& evidence, Findings& findings) {
  for (const WatchList& list : evidence.watchers) {
    ++findings.watch_lists;
    findings.watch_connections += list.connections;
    CheckList(evidence, list, findings);
  }
}

}  // namespace komadai::chaos::audit
