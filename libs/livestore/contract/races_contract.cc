// Many threads at once, and long random runs against a model.
#include <atomic>
#include <map>
#include <thread>

#include "libs/base/random.h"
#include "libs/livestore/contract/store_contract.h"

namespace komadai::livestore {
namespace {

void InThreads(int count, const std::function<void(int)>& body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
}

TEST_P(StoreContract, OfManyCommittersWithOneVersionExactlyOneWins) {
  Version version = Apply({.name = "d", .put_body = "start"}).version;
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> winners = 0;
    std::atomic<Version> newest = 0;
    InThreads(4, [&](int id) {
      LiveStore& client = id % 2 == 0 ? store() : other();
      const auto outcome =
          SyncWait(client.Commit(One({.name = "d",
                                      .expected_version = version,
                                      .put_body = std::to_string(id),
                                      .events = std::vector<std::string>{std::to_string(id)}})));
      ASSERT_TRUE(outcome);
      if (!outcome->committed()) return;
      ++winners;
      newest = outcome->documents.front().version;
    });
    ASSERT_EQ(winners, 1);
    version = newest;
  }
  EXPECT_EQ(Load("d")->last_sequence, 50);
}

TEST_P(StoreContract, OfManyCreatorsExactlyOneWins) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> winners = 0;
    InThreads(4, [&](int id) {
      const auto outcome = SyncWait((id % 2 ? store() : other())
                                        .Commit(One({.name = "new" + std::to_string(round),
                                                     .put_body = std::to_string(id)})));
      if (outcome && outcome->committed()) ++winners;
    });
    ASSERT_EQ(winners, 1);
  }
}

// Every acknowledged append is in the journal once, and the numbers have no gap.
TEST_P(StoreContract, ConcurrentAppendsAreAllKeptWithoutAGap) {
  constexpr int kThreads = 4;
  constexpr int kEach = 100;
  Mutex mutex;
  std::map<Sequence, std::string> acknowledged;
  InThreads(kThreads, [&](int id) {
    for (int i = 0; i < kEach; ++i) {
      const std::string event = std::to_string(id) + ":" + std::to_string(i);
      const auto outcome =
          SyncWait(store().Commit(One({.name = "d",
                                       .expected_version = kAnyVersion,
                                       .events = std::vector<std::string>{event}})));
      ASSERT_TRUE(outcome && outcome->committed());
      const MutexLock lock(mutex);
      acknowledged[outcome->documents.front().last_sequence] = event;
    }
  });
  const std::vector<std::string> journal = Journal("d");
  ASSERT_EQ(journal.size(), std::size_t{kThreads * kEach});
  for (std::size_t i = 0; i < journal.size(); ++i) {
    EXPECT_EQ(journal[i], acknowledged[static_cast<Sequence>(i) + 1]);
  }
}

// Two documents move together: no reader of a committed guard may ever see them apart.
TEST_P(StoreContract, ReloadAndRetryNeverLosesAnUpdate) {
  constexpr int kThreads = 4;
  constexpr int kEach = 50;
  Transaction start = One({.name = "a", .put_body = "0"});
  start.changes.push_back({.name = "b", .put_body = "0"});
  ASSERT_TRUE(SyncWait(store().Commit(start))->committed());
  InThreads(kThreads, [&](int) {
    for (int done = 0; done < kEach;) {
      const auto loaded = SyncWait(store().LoadMany("p", {"a", "b"}));
      ASSERT_TRUE(loaded);
      const Document& a = *(*loaded)[0];
      const Document& b = *(*loaded)[1];
      Transaction transaction = One({.name = "a",
                                     .expected_version = a.version,
                                     .put_body = std::to_string(std::stoi(a.body) + 1)});
      transaction.changes.push_back({.name = "b",
                                     .expected_version = b.version,
                                     .put_body = std::to_string(std::stoi(b.body) + 1)});
      const auto outcome = SyncWait(store().Commit(transaction));
      ASSERT_TRUE(outcome);
      if (outcome->committed()) ++done;
    }
  });
  EXPECT_EQ(Load("a")->body, std::to_string(kThreads * kEach));
  EXPECT_EQ(Load("b")->body, std::to_string(kThreads * kEach));
}

// The simplest thing that could be a LiveStore, as the oracle.
struct ModelDocument {
  Version version = kAbsent;
  std::string body;
  std::vector<std::string> events;
  std::map<std::string, std::int64_t> scores;
};
using Model = std::map<std::string, ModelDocument>;

Change RandomChange(Random& random, const Model& model, const std::string& name) {
  Change change;
  change.name = name;
  const auto found = model.find(name);
  const Version current = found == model.end() ? kAbsent : found->second.version;
  const auto dice = random.Below(10);
  change.expected_version = dice == 0 ? current + 1 : dice == 1 ? kAnyVersion : current;
  if (random.Below(12) == 0) {
    change.delete_document = true;
    return change;
  }
  if (random.Below(2) == 0) change.put_body = std::to_string(random.Below(1000));
  for (auto events = random.Below(3); events > 0; --events) {
    change.events.push_back(std::to_string(random.Below(1000)));
  }
  for (const char* index : {"i", "j"}) {
    const auto what = random.Below(4);
    if (what == 0) change.indexes.push_back({index, static_cast<std::int64_t>(random.Below(5))});
    if (what == 1) change.indexes.push_back({index, std::nullopt});
  }
  return change;
}

bool ModelMatches(const Model& model, const Change& change) {
  const auto found = model.find(change.name);
  const Version current = found == model.end() ? kAbsent : found->second.version;
  return change.expected_version == kAnyVersion || change.expected_version == current;
}

void ApplyToModel(Model& model, const Change& change, const Committed& committed) {
  if (change.delete_document) {
    model.erase(change.name);
    return;
  }
  if (committed.version == kAbsent) return;
  ModelDocument& document = model[change.name];
  document.version = committed.version;
  if (change.put_body) document.body = *change.put_body;
  for (const std::string& event : change.events) document.events.push_back(event);
  for (const IndexChange& index : change.indexes) {
    document.scores.erase(index.index);
    if (index.score) document.scores[index.index] = *index.score;
  }
}

std::vector<std::string> ModelMembers(const Model& model, const std::string& index) {
  std::vector<std::pair<std::int64_t, std::string>> entries;
  for (const auto& [name, document] : model) {
    const auto score = document.scores.find(index);
    if (score != document.scores.end()) entries.emplace_back(score->second, name);
  }
  std::sort(entries.begin(), entries.end());
  std::vector<std::string> names;
  for (const auto& entry : entries) names.push_back(entry.second);
  return names;
}

constexpr int kDocuments = 20;

// Commits random transactions to one partition and follows them in the model.
void CommitRandomly(LiveStore& store, const std::string& partition, int count, Random& random,
                    Model& model) {
  for (int i = 0; i < count; ++i) {
    Transaction transaction;
    transaction.partition = partition;
    const auto first = random.Below(kDocuments);
    const auto changes = 1 + random.Below(3);
    for (std::uint64_t n = 0; n < changes; ++n) {
      const std::string name = "d" + std::to_string((first + n) % kDocuments);
      transaction.changes.push_back(RandomChange(random, model, name));
    }
    bool matches = true;
    for (const Change& change : transaction.changes) matches &= ModelMatches(model, change);
    const auto outcome = SyncWait(store.Commit(transaction));
    ASSERT_TRUE(outcome) << outcome.error().ToString();
    ASSERT_EQ(outcome->committed(), matches) << partition << ", transaction " << i;
    if (!matches) continue;
    ASSERT_EQ(outcome->documents.size(), transaction.changes.size());
    for (std::size_t n = 0; n < transaction.changes.size(); ++n) {
      ApplyToModel(model, transaction.changes[n], outcome->documents[n]);
    }
  }
}

void ExpectEqual(LiveStore& store, const std::string& partition, const Model& model) {
  for (int i = 0; i < kDocuments; ++i) {
    const std::string name = "d" + std::to_string(i);
    const auto loaded = SyncWait(store.LoadWithJournal(partition, name, 0, kMaxPage));
    ASSERT_TRUE(loaded);
    ASSERT_EQ(loaded->has_value(), model.contains(name)) << name;
    if (!*loaded) continue;
    const ModelDocument& expected = model.at(name);
    EXPECT_EQ((*loaded)->document.version, expected.version);
    EXPECT_EQ((*loaded)->document.body, expected.body);
    EXPECT_EQ((*loaded)->document.last_sequence, static_cast<Sequence>(expected.events.size()));
    ASSERT_EQ((*loaded)->events.size(), expected.events.size());
    for (std::size_t n = 0; n < expected.events.size(); ++n) {
      EXPECT_EQ((*loaded)->events[n].sequence, static_cast<Sequence>(n) + 1);
      EXPECT_EQ((*loaded)->events[n].payload, expected.events[n]);
    }
  }
  for (const char* index : {"i", "j"}) {
    IndexQuery query;
    query.partition = partition;
    query.index = index;
    const auto entries = SyncWait(store.ReadIndex(query));
    ASSERT_TRUE(entries);
    std::vector<std::string> names;
    for (const IndexEntry& entry : *entries) names.push_back(entry.name);
    EXPECT_EQ(names, ModelMembers(model, index));
  }
}

// In eight partitions at once, which must not disturb each other.
TEST_P(StoreContract, TenThousandRandomTransactionsMatchAModel) {
  constexpr int kPartitions = 8;
  std::vector<Model> models(kPartitions);
  InThreads(kPartitions, [&](int id) {
    SeededRandom random(static_cast<std::uint64_t>(20240701 + id));
    const std::string partition = "p" + std::to_string(id);
    CommitRandomly(store(), partition, 10000 / kPartitions, random,
                   models[static_cast<std::size_t>(id)]);
  });
  for (int id = 0; id < kPartitions; ++id) {
    ExpectEqual(store(), "p" + std::to_string(id), models[static_cast<std::size_t>(id)]);
  }
}

}  // namespace
}  // namespace komadai::livestore
