#include "libs/livestore/redis_live_store.h"

#include <algorithm>
#include <utility>

#include "libs/base/random.h"
#include "libs/livestore/redis_protocol.h"
#include "libs/livestore/redis_pubsub.h"
#include "libs/livestore/redis_scripts.h"
#include "libs/livestore/topics.h"
#include "libs/livestore/validation.h"

namespace komadai::livestore {
namespace {

constexpr char kMark[] = "{komadai}mark";

enum ScriptIndex : std::size_t { kCommit, kLoadMany, kJournal, kReadIndex };

std::vector<std::string> Scripts() {
  return {kCommitScript, kLoadManyScript, kJournalScript, kReadIndexScript};
}

std::string NewMark() {
  SystemRandom random;
  return RandomId(random);
}

std::string Prefix(const std::string& partition) { return "{" + partition + "}"; }

redis::Arguments JournalArguments(std::string name, Sequence after, std::int64_t limit,
                                  const char* body) {
  // Far above every real sequence, and far from an overflow.
  constexpr Sequence kLast = Sequence{1} << 60;
  const Sequence first = std::clamp<Sequence>(after, 0, kLast) + 1;
  return {std::move(name), std::to_string(first), std::to_string(ClampPage(limit)), body};
}

}  // namespace

RedisLiveStore::RedisLiveStore(redis::Options options, redis::Observer* observer, bool accept_loss)
    : channel_prefix_(std::to_string(options.database)),
      loop_(std::make_shared<EventLoop>()),
      client_(std::make_unique<redis::Client>(loop_, options, Scripts(), observer)),
      pubsub_(std::make_shared<PubSub>(loop_)),
      safety_(accept_loss) {
  pubsub_->Start(options, observer);
}

RedisLiveStore::~RedisLiveStore() { pubsub_->Stop(); }

Task<Result<CommitOutcome>> RedisLiveStore::Commit(Transaction transaction) {
  if (Status valid = Validate(transaction); !valid) co_return std::move(valid).error();
  std::vector<std::string> names;
  std::vector<Version> expected;
  for (const Change& change : transaction.changes) {
    names.push_back(change.name);
    expected.push_back(change.expected_version);
  }
  redis::Arguments keys{Prefix(transaction.partition)};
  redis::Arguments arguments = CommitArguments(channel_prefix_, std::move(transaction));
  Result<redis::Reply> reply =
      co_await client_->Eval(ScriptIndex::kCommit, std::move(keys), std::move(arguments));
  if (!reply) co_return CommitError(std::move(reply).error());
  co_return ParseCommitReply(names, expected, *reply);
}

Task<Result<std::optional<Document>>> RedisLiveStore::Load(std::string partition,
                                                           std::string name) {
  if (Status valid = ValidateKey(partition, name); !valid) co_return std::move(valid).error();
  redis::Arguments command{"HMGET", Prefix(partition) + "d:" + name, "v", "s", "b"};
  Result<redis::Reply> reply = co_await client_->Command(std::move(command));
  if (!reply) co_return ReadError(std::move(reply).error());
  co_return ParseDocument(std::move(name), *reply);
}

Task<Result<std::vector<std::optional<Document>>>> RedisLiveStore::LoadMany(
    std::string partition, std::vector<std::string> names) {
  if (Status valid = ValidateKeys(partition, names); !valid) co_return std::move(valid).error();
  std::vector<std::optional<Document>> documents;
  if (names.empty()) co_return documents;
  redis::Arguments keys{Prefix(partition)};
  Result<redis::Reply> reply =
      co_await client_->Eval(ScriptIndex::kLoadMany, std::move(keys), names);
  if (!reply) co_return ReadError(std::move(reply).error());
  if (reply->elements.size() != names.size()) {
    co_return Error{kInternal, "an odd reply from Redis"};
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    Result<std::optional<Document>> document = ParseDocument(names[i], reply->elements[i]);
    if (!document) co_return std::move(document).error();
    documents.push_back(*std::move(document));
  }
  co_return documents;
}

Task<Result<std::optional<DocumentWithJournal>>> RedisLiveStore::LoadWithJournal(
    std::string partition, std::string name, Sequence after_sequence, std::int64_t limit) {
  if (Status valid = ValidateKey(partition, name); !valid) co_return std::move(valid).error();
  redis::Arguments keys{Prefix(partition)};
  redis::Arguments arguments = JournalArguments(name, after_sequence, limit, "b");
  Result<redis::Reply> reply =
      co_await client_->Eval(ScriptIndex::kJournal, std::move(keys), std::move(arguments));
  if (!reply) co_return ReadError(std::move(reply).error());
  Result<std::optional<Document>> document = ParseDocument(std::move(name), *reply);
  if (!document) co_return std::move(document).error();
  if (!*document) co_return std::optional<DocumentWithJournal>();
  Result<std::vector<Event>> events = ParseEvents(reply->elements.back());
  if (!events) co_return std::move(events).error();
  co_return std::optional(DocumentWithJournal{**std::move(document), *std::move(events)});
}

Task<Result<JournalPage>> RedisLiveStore::ReadJournal(std::string partition, std::string name,
                                                      Sequence after_sequence, std::int64_t limit) {
  if (Status valid = ValidateKey(partition, name); !valid) co_return std::move(valid).error();
  redis::Arguments keys{Prefix(partition)};
  redis::Arguments arguments = JournalArguments(name, after_sequence, limit, "");
  Result<redis::Reply> reply =
      co_await client_->Eval(ScriptIndex::kJournal, std::move(keys), std::move(arguments));
  if (!reply) co_return ReadError(std::move(reply).error());
  Result<std::optional<Document>> document = ParseDocument(std::move(name), *reply);
  if (!document) co_return std::move(document).error();
  if (!*document) co_return JournalPage();
  Result<std::vector<Event>> events = ParseEvents(reply->elements.back());
  if (!events) co_return std::move(events).error();
  co_return JournalPage{*std::move(events), (*document)->last_sequence};
}

Task<Result<std::vector<IndexEntry>>> RedisLiveStore::ReadIndex(IndexQuery query) {
  if (Status valid = Validate(query); !valid) co_return std::move(valid).error();
  const std::string limit = std::to_string(ClampPage(query.limit));
  if (limit == "0" || query.min_score > query.max_score) co_return std::vector<IndexEntry>();
  Result<redis::Reply> reply = redis::Reply();
  if (query.after && query.after->score >= query.min_score) {
    redis::Arguments keys{Prefix(query.partition)};
    redis::Arguments arguments{query.index, std::to_string(query.after->score), query.after->name,
                               limit};
    reply = co_await client_->Eval(ScriptIndex::kReadIndex, std::move(keys), std::move(arguments));
  } else {
    redis::Arguments command{"ZRANGEBYSCORE",
                             Prefix(query.partition) + "x:" + query.index,
                             std::to_string(query.min_score),
                             std::to_string(query.max_score),
                             "WITHSCORES",
                             "LIMIT",
                             "0",
                             limit};
    reply = co_await client_->Command(std::move(command));
  }
  if (!reply) co_return ReadError(std::move(reply).error());
  co_return ParseIndex(*reply, query.max_score);
}

Task<Result<std::int64_t>> RedisLiveStore::CountIndex(std::string partition, std::string index,
                                                      std::int64_t min_score,
                                                      std::int64_t max_score) {
  if (Status valid = ValidateKey(partition, index); !valid) co_return std::move(valid).error();
  if (Status valid = ValidateScores(min_score, max_score); !valid) {
    co_return std::move(valid).error();
  }
  redis::Arguments command{"ZCOUNT", Prefix(partition) + "x:" + index, std::to_string(min_score),
                           std::to_string(max_score)};
  Result<redis::Reply> reply = co_await client_->Command(std::move(command));
  if (!reply) co_return ReadError(std::move(reply).error());
  co_return reply->integer;
}

std::unique_ptr<Subscription> RedisLiveStore::Subscribe(std::string partition, std::string name,
                                                        NotificationHandler handler) {
  return pubsub_->Add(channel_prefix_ + DocumentTopic(partition, name), std::move(handler));
}

std::unique_ptr<Subscription> RedisLiveStore::SubscribeChannel(std::string channel,
                                                               NotificationHandler handler) {
  return pubsub_->Add(channel_prefix_ + ChannelTopic(channel), std::move(handler));
}

Task<Status> RedisLiveStore::Ping() {
  // Any write will do; nothing else uses this key, and it expires.
  redis::Arguments command{"SET", "{komadai}ping", "", "PX", "60000"};
  Result<redis::Reply> reply = co_await client_->Command(std::move(command));
  if (!reply) co_return ReadError(std::move(reply).error());
  redis::Arguments persistence{"CONFIG", "GET", "appendonly"};
  const Result<redis::Reply> kept = co_await client_->Command(std::move(persistence));
  // Another one each time: a store that was emptied must not get its old mark back.
  redis::Arguments put{"SET", kMark, NewMark(), "NX"};
  Result<redis::Reply> marked = co_await client_->Command(std::move(put));
  if (!marked) co_return ReadError(std::move(marked).error());
  redis::Arguments get{"GET", kMark};
  Result<redis::Reply> mark = co_await client_->Command(std::move(get));
  if (!mark) co_return ReadError(std::move(mark).error());
  const MutexLock lock(mutex_);
  if (Status durable = safety_.CheckPersistence(kept); !durable) co_return durable;
  co_return safety_.CheckMark(mark->text);
}

}  // namespace komadai::livestore
