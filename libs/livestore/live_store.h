// LiveStore: a small, partitioned document store with optimistic versions: where live games, clocks
// and seeks are kept. Implementations: memory, Redis, SQLite; one contract suite passes on all.
//
// A document has a name, a version, a small body, an append-only journal of events (sequence
// numbers 1, 2, 3, ... without gaps) and memberships in indexes. Documents and indexes live in a
// partition. A partition is the unit of atomicity: a Transaction changes several documents and
// indexes of ONE partition, all or nothing. In Redis all its keys share one hash tag, hence one
// cluster node, so spread load over a fixed number of partitions (shards), e.g. "game:17".
//
// Threads: every method may be called from any thread. A Task resumes on a thread of the store,
// which must not be blocked. Handlers run there too.
//
// Failures: kUnavailable and kOverloaded promise that nothing happened: retry freely. kInDoubt
// means that the connection was lost after sending: a commit has happened entirely or not at all,
// or may even happen a moment later. Load and look; if it is not there, commit the same again with
// the same expected versions: at most one of the two can win, and a conflict says look once more.
// Reads never answer kInDoubt. Bad sizes and names are kInvalidTransaction or kTooLarge (limits
// below); neither is ever retried with success.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/base/time.h"

namespace komadai::livestore {

// Names one state of a document. Grows with every change and is not used again, even when the
// document is deleted and made again; opaque otherwise (in particular, do not assume steps of 1).
using Version = std::int64_t;
inline constexpr Version kAbsent = 0;       // the document does not exist
inline constexpr Version kAnyVersion = -1;  // as an expectation: do not compare

// The number of an event in its document's journal; the first is 1, and 0 stands for "none".
using Sequence = std::int64_t;

inline constexpr Reason kInDoubt{Code::kUnavailable, "IN_DOUBT"};
inline constexpr Reason kInvalidTransaction{Code::kInvalidArgument, "INVALID_TRANSACTION"};
inline constexpr Reason kTooLarge{Code::kInvalidArgument, "TOO_LARGE"};

// Limits, in bytes or items. Partitions are of [A-Za-z0-9_.:-]; names, indexes and channels are any
// bytes, none of them empty. A larger page limit is silently cut to kMaxPage.
inline constexpr std::size_t kMaxPartitionBytes = 64;
inline constexpr std::size_t kMaxNameBytes = 256;
inline constexpr std::size_t kMaxBodyBytes = 256 * 1024;
inline constexpr std::size_t kMaxEventBytes = 64 * 1024;  // also the payload of an announcement
inline constexpr std::size_t kMaxChanges = 64;            // also announcements of a transaction
inline constexpr std::size_t kMaxEventsPerChange = 256;
inline constexpr std::size_t kMaxIndexChanges = 32;               // per change
inline constexpr std::size_t kMaxTransactionBytes = 1024 * 1024;  // bodies, events, payloads, names
inline constexpr std::int64_t kMaxScore = std::int64_t{1} << 53;  // either sign: exact as a double
inline constexpr std::int64_t kMaxPage = 1000;
inline constexpr Millis kMaxTimeToLive{std::int64_t{366} * 24 * 3600 * 1000};

// (Every member of these structs has a default, so that designated initialisers may name a few.)
struct IndexChange {
  std::string index = {};
  // Set: be a member with this score. Not set: leave the index.
  std::optional<std::int64_t> score = {};
};

// What becomes of one document. A change without an effect only compares the version: a guard.
// On an absent document, put_body, events or an index score create it (with an empty body if none
// is put); the other effects do nothing there.
struct Change {
  std::string name = {};
  Version expected_version = kAbsent;        // kAbsent: must not exist; kAnyVersion: any version
  std::optional<std::string> put_body = {};  // not set: the body stays
  // Removes the document, its journal and its memberships. Excludes every other effect.
  bool delete_document = false;
  std::vector<std::string> events = {};  // appended to the journal in this order
  std::vector<IndexChange> indexes = {};
  // The document and its journal vanish this long after the commit; zero cancels; not set leaves an
  // earlier setting. Only for documents in no index (kInvalidTransaction otherwise): what must be
  // swept at an instant belongs in an index of deadlines, not here. Expiry sends no notification.
  std::optional<Millis> time_to_live = {};
  // Drops the oldest events so that at most this many stay (sequence numbers continue).
  std::optional<std::int64_t> keep_last_events = {};
};

// A message to everyone who called SubscribeChannel(channel), in any process; best effort.
struct Announcement {
  std::string channel = {};
  std::string payload = {};
};

struct Transaction {
  std::string partition = {};
  std::vector<Change> changes = {};              // each document at most once
  std::vector<Announcement> announcements = {};  // sent only if the commit succeeds
};

struct Conflict {
  std::string name = {};
  Version expected = kAbsent;
  Version current = kAbsent;
};

struct Committed {
  Version version = kAbsent;  // kAbsent after a deletion
  Sequence last_sequence = 0;
};

struct CommitOutcome {
  // Set: nothing was changed; this is the first mismatch in the order given.
  std::optional<Conflict> conflict = {};
  // Beside Transaction::changes, when there was no conflict.
  std::vector<Committed> documents = {};

  bool committed() const { return !conflict.has_value(); }
};

struct Document {
  std::string name = {};
  Version version = kAbsent;
  Sequence last_sequence = 0;
  std::string body = {};
};

struct Event {
  Sequence sequence = 0;
  std::string payload = {};
};

// Consecutive events. More follow if the last one's sequence is below last_sequence. If the first
// one's is not the one asked for, older events were dropped (keep_last_events).
struct JournalPage {
  std::vector<Event> events = {};
  Sequence last_sequence = 0;  // of the document; 0 if it is absent
};

struct DocumentWithJournal {
  Document document = {};
  std::vector<Event> events = {};
};

struct IndexEntry {
  std::string name = {};
  std::int64_t score = 0;
};

struct IndexQuery {
  std::string partition = {};
  std::string index = {};
  std::int64_t min_score = -kMaxScore;  // both inclusive
  std::int64_t max_score = kMaxScore;
  std::int64_t limit = kMaxPage;
  // Continue behind this entry, which need not exist any more.
  std::optional<IndexEntry> after = {};
};

struct Notification {
  enum class Kind : std::uint8_t {
    // The subscription is live from now on, for the first time or again after a lost connection (or
    // the document was deleted): read the journal behind the last sequence you know.
    kResync,
    kEvent,    // of a document's subscription: `sequence` and `payload`
    kMessage,  // of a channel's subscription: `payload`
  };
  Kind kind = Kind::kResync;
  Sequence sequence = 0;
  std::string payload = {};
};

// Called one at a time per subscription, possibly before Subscribe returns. Must be quick.
using NotificationHandler = std::function<void(const Notification&)>;

// Ends with its destruction, after which the handler is not called again. The destructor waits for
// a call in progress (unless it runs inside that call), so hold no lock that the handler takes.
// May outlive the store.
class Subscription {
 public:
  virtual ~Subscription() = default;
};

class LiveStore {
 public:
  virtual ~LiveStore() = default;

  // Compares every expected version and then applies every change, atomically and durably. Events
  // and announcements reach subscribers after that. Repeating a committed transaction conflicts
  // (its versions are gone), except for changes with kAnyVersion, which are applied twice. A
  // conflict is an ordinary outcome: load again, decide again, commit again.
  virtual Task<Result<CommitOutcome>> Commit(Transaction transaction) = 0;

  // nullopt: no such document. Reads see every commit acknowledged before they were called.
  virtual Task<Result<std::optional<Document>>> Load(std::string partition, std::string name) = 0;

  // Beside `names` (at most kMaxPage of them); not one snapshot: each document as of some instant.
  virtual Task<Result<std::vector<std::optional<Document>>>> LoadMany(
      std::string partition, std::vector<std::string> names) = 0;

  // The document and the events behind `after_sequence`, at most `limit`, of the same instant.
  virtual Task<Result<std::optional<DocumentWithJournal>>> LoadWithJournal(std::string partition,
                                                                           std::string name,
                                                                           Sequence after_sequence,
                                                                           std::int64_t limit) = 0;

  virtual Task<Result<JournalPage>> ReadJournal(std::string partition, std::string name,
                                                Sequence after_sequence, std::int64_t limit) = 0;

  // Entries in the order of (score, name as bytes).
  virtual Task<Result<std::vector<IndexEntry>>> ReadIndex(IndexQuery query) = 0;

  // How many entries have min_score <= score <= max_score.
  virtual Task<Result<std::int64_t>> CountIndex(std::string partition, std::string index,
                                                std::int64_t min_score, std::int64_t max_score) = 0;

  // Every event appended to the document from now on, by any process, in order, each at most once;
  // kResync marks where some may be missing and always comes first. A handler therefore needs only
  // one rule: on kResync, or when a sequence skips, read the journal behind the last known one.
  virtual std::unique_ptr<Subscription> Subscribe(std::string partition, std::string name,
                                                  NotificationHandler handler) = 0;

  // Every announcement on the channel. Same rules, without sequence numbers.
  virtual std::unique_ptr<Subscription> SubscribeChannel(std::string channel,
                                                         NotificationHandler handler) = 0;

  // Readiness: success means that a write has really worked just now (a read-only replica fails).
  virtual Task<Status> Ping() = 0;
};

}  // namespace komadai::livestore
