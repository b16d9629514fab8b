// Order, ranges, paging and membership of indexes.
#include <gmock/gmock.h>

#include "libs/livestore/contract/store_contract.h"

namespace komadai::livestore {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class IndexReader {
 public:
  IndexReader(LiveStore& store, std::string index) : store_(store) {
    query_.partition = "p";
    query_.index = std::move(index);
  }
  IndexQuery& query() { return query_; }
  std::vector<std::string> Read() {
    std::vector<std::string> names;
    const auto entries = SyncWait(store_.ReadIndex(query_));
    EXPECT_TRUE(entries);
    if (!entries) return names;
    for (const IndexEntry& entry : *entries) {
      names.push_back(entry.name + "=" + std::to_string(entry.score));
    }
    return names;
  }

 private:
  LiveStore& store_;
  IndexQuery query_;
};

TEST_P(StoreContract, AnIndexIsOrderedByScoreThenByNameAsBytes) {
  Apply({.name = "b", .indexes = {{"i", 5}}});
  Apply({.name = "a", .indexes = {{"i", 5}}});
  Apply({.name = "\xff", .indexes = {{"i", 5}}});
  Apply({.name = "B", .indexes = {{"i", 5}}});
  Apply({.name = "z", .indexes = {{"i", -kMaxScore}}});
  Apply({.name = "y", .indexes = {{"i", kMaxScore}}});
  EXPECT_THAT(Members("i"), ElementsAre("z", "B", "a", "b", "\xff", "y"));
  EXPECT_THAT(Members("other"), IsEmpty());
}

TEST_P(StoreContract, RangesIncludeBothEnds) {
  for (int i = 0; i < 10; ++i) {
    Apply({.name = "n" + std::to_string(i), .indexes = {{"i", i * 10}}});
  }
  IndexReader reader(store(), "i");
  reader.query().min_score = 20;
  reader.query().max_score = 40;
  EXPECT_THAT(reader.Read(), ElementsAre("n2=20", "n3=30", "n4=40"));
  EXPECT_EQ(*SyncWait(store().CountIndex("p", "i", 20, 40)), 3);
  EXPECT_EQ(*SyncWait(store().CountIndex("p", "i", 41, 40)), 0);
  reader.query().min_score = 41;
  EXPECT_THAT(reader.Read(), IsEmpty());
  reader.query().min_score = -kMaxScore;
  reader.query().limit = 0;
  EXPECT_THAT(reader.Read(), IsEmpty());
}

TEST_P(StoreContract, BigScoresAreExact) {
  const std::int64_t near_limit = kMaxScore - 1;
  Apply({.name = "a", .indexes = {{"i", near_limit}}});
  Apply({.name = "b", .indexes = {{"i", -near_limit}}});
  IndexReader reader(store(), "i");
  EXPECT_THAT(reader.Read(),
              ElementsAre("b=" + std::to_string(-near_limit), "a=" + std::to_string(near_limit)));
  reader.query().min_score = kMaxScore;
  EXPECT_THAT(reader.Read(), IsEmpty());
}

// Pages of every size must give the same list, also within runs of equal scores.
TEST_P(StoreContract, PagingVisitsEveryEntryOnce) {
  std::vector<std::string> expected;
  for (int i = 0; i < 40; ++i) {
    const std::string name = (i < 10 ? "0" : "") + std::to_string(i);
    const std::int64_t score = i < 30 ? 7 : 8;
    Apply({.name = name, .indexes = {{"i", score}}});
    expected.push_back(name + "=" + std::to_string(score));
  }
  for (const std::int64_t limit : {1, 3, 7, 29, 30, 31, 100}) {
    IndexReader reader(store(), "i");
    reader.query().limit = limit;
    reader.query().max_score = 8;
    std::vector<std::string> seen;
    for (;;) {
      const auto page = SyncWait(store().ReadIndex(reader.query()));
      ASSERT_TRUE(page);
      for (const IndexEntry& entry : *page) {
        seen.push_back(entry.name + "=" + std::to_string(entry.score));
      }
      if (page->empty()) break;
      reader.query().after = page->back();
    }
    EXPECT_EQ(seen, expected) << "limit " << limit;
  }
}

TEST_P(StoreContract, PagingGoesOnBehindAnEntryThatHasLeft) {
  for (const char* name : {"a", "c", "e"}) Apply({.name = name, .indexes = {{"i", 1}}});
  IndexReader reader(store(), "i");
  reader.query().after = IndexEntry{"b", 1};
  EXPECT_THAT(reader.Read(), ElementsAre("c=1", "e=1"));
  reader.query().after = IndexEntry{"c", 0};
  EXPECT_THAT(reader.Read(), ElementsAre("a=1", "c=1", "e=1"));
  reader.query().after = IndexEntry{"z", 1};
  EXPECT_THAT(reader.Read(), IsEmpty());
  reader.query().after = IndexEntry{"a", 2};
  EXPECT_THAT(reader.Read(), IsEmpty());
  reader.query().min_score = 1;
  reader.query().after = IndexEntry{"z", -3};
  EXPECT_THAT(reader.Read(), ElementsAre("a=1", "c=1", "e=1"));
}

TEST_P(StoreContract, AScoreIsReplacedAndAMembershipEnds) {
  Committed last = Apply({.name = "d", .indexes = {{"i", 1}, {"j", 1}}});
  last = Apply({.name = "d", .expected_version = last.version, .indexes = {{"i", 9}}});
  IndexReader reader(store(), "i");
  EXPECT_THAT(reader.Read(), ElementsAre("d=9"));
  last = Apply({.name = "d", .expected_version = last.version, .indexes = {{"i", std::nullopt}}});
  EXPECT_THAT(reader.Read(), IsEmpty());
  EXPECT_THAT(Members("j"), ElementsAre("d"));
  EXPECT_TRUE(Load("d"));
  Apply({.name = "d", .expected_version = last.version, .indexes = {{"i", std::nullopt}}});
}

TEST_P(StoreContract, LeavingAnIndexDoesNotCreateADocument) {
  EXPECT_EQ(Apply({.name = "d", .indexes = {{"i", std::nullopt}}}).version, kAbsent);
  EXPECT_FALSE(Load("d"));
}

TEST_P(StoreContract, ADeletedDocumentLeavesAllItsIndexes) {
  const Committed made = Apply({.name = "d", .indexes = {{"i", 1}, {"j", 2}, {"k", 3}}});
  Apply({.name = "e", .indexes = {{"j", 2}}});
  Apply({.name = "d", .expected_version = made.version, .delete_document = true});
  EXPECT_THAT(Members("i"), IsEmpty());
  EXPECT_THAT(Members("j"), ElementsAre("e"));
  EXPECT_THAT(Members("k"), IsEmpty());
  Apply({.name = "d", .put_body = ""});
  EXPECT_THAT(Members("i"), IsEmpty()) << "a new document inherits no membership";
}

}  // namespace
}  // namespace komadai::livestore
