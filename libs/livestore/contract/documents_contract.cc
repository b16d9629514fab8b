// Versions, bodies, journals, guards, deletion, expiry and limits.
#include <gmock/gmock.h>

#include "libs/livestore/contract/store_contract.h"

namespace komadai::livestore {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Strings = std::vector<std::string>;

const std::string kBinary("\0\r\n{}\xff $5\r\n", 11);

TEST_P(StoreContract, AnAbsentDocumentLoadsAsNothing) {
  EXPECT_FALSE(Load("nobody"));
  EXPECT_THAT(Journal("nobody"), IsEmpty());
}

TEST_P(StoreContract, ADocumentComesBackByteForByte) {
  const Committed made = Apply({.name = kBinary, .put_body = kBinary, .events = Strings{kBinary}});
  EXPECT_GT(made.version, 0);
  EXPECT_EQ(made.last_sequence, 1);
  const std::optional<Document> loaded = Load(kBinary);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->name, kBinary);
  EXPECT_EQ(loaded->version, made.version);
  EXPECT_EQ(loaded->last_sequence, 1);
  EXPECT_EQ(loaded->body, kBinary);
  EXPECT_THAT(Journal(kBinary), ElementsAre(kBinary));
}

TEST_P(StoreContract, AnEmptyBodyIsABody) {
  Apply({.name = "d", .put_body = ""});
  ASSERT_TRUE(Load("d"));
  EXPECT_EQ(Load("d")->body, "");
}

TEST_P(StoreContract, CreatingTwiceConflictsAndNamesTheCurrentVersion) {
  const Committed made = Apply({.name = "d", .put_body = "first"});
  const Conflict conflict = ExpectConflict({.name = "d", .put_body = "second"});
  EXPECT_EQ(conflict.name, "d");
  EXPECT_EQ(conflict.expected, kAbsent);
  EXPECT_EQ(conflict.current, made.version);
  EXPECT_EQ(Load("d")->body, "first");
}

TEST_P(StoreContract, EveryChangeGivesANewerVersion) {
  const Committed first = Apply({.name = "d", .put_body = "1"});
  const Committed second = Apply({.name = "d", .expected_version = first.version, .put_body = "2"});
  EXPECT_GT(second.version, first.version);
  const Conflict stale =
      ExpectConflict({.name = "d", .expected_version = first.version, .put_body = "3"});
  EXPECT_EQ(stale.current, second.version);
  EXPECT_EQ(Load("d")->body, "2");
}

TEST_P(StoreContract, ChangingAnAbsentDocumentConflicts) {
  EXPECT_EQ(ExpectConflict({.name = "d", .expected_version = 7, .put_body = "x"}).current, kAbsent);
  EXPECT_FALSE(Load("d"));
}

TEST_P(StoreContract, ADeletedAndRemadeDocumentHasAVersionNeverSeenBefore) {
  const Committed first = Apply({.name = "d", .put_body = "1", .events = Strings{"a"}});
  const Committed gone =
      Apply({.name = "d", .expected_version = first.version, .delete_document = true});
  EXPECT_EQ(gone.version, kAbsent);
  EXPECT_FALSE(Load("d"));
  const Committed again = Apply({.name = "d", .put_body = "2", .events = Strings{"b"}});
  EXPECT_NE(again.version, first.version);
  EXPECT_EQ(again.last_sequence, 1);
  EXPECT_THAT(Journal("d"), ElementsAre("b"));
}

TEST_P(StoreContract, AGuardComparesAndChangesNothing) {
  const Committed made = Apply({.name = "d", .put_body = "x"});
  const Committed guarded = Apply({.name = "d", .expected_version = made.version});
  EXPECT_EQ(guarded.version, made.version);
  EXPECT_EQ(Apply({.name = "absent"}).version, kAbsent);
  EXPECT_FALSE(Load("absent"));
  EXPECT_EQ(ExpectConflict({.name = "d"}).current, made.version);
}

TEST_P(StoreContract, AnyVersionMatchesEverything) {
  EXPECT_EQ(
      Apply({.name = "d", .expected_version = kAnyVersion, .events = Strings{"a"}}).last_sequence,
      1);
  EXPECT_EQ(
      Apply({.name = "d", .expected_version = kAnyVersion, .events = Strings{"b"}}).last_sequence,
      2);
  EXPECT_THAT(Journal("d"), ElementsAre("a", "b"));
  EXPECT_EQ(Load("d")->body, "");
  Apply({.name = "d", .expected_version = kAnyVersion, .delete_document = true});
  Apply({.name = "d", .expected_version = kAnyVersion, .delete_document = true});
  EXPECT_FALSE(Load("d"));
}

TEST_P(StoreContract, ATransactionIsAllOrNothing) {
  const Committed a = Apply({.name = "a", .put_body = "a1"});
  Transaction transaction = One({.name = "a",
                                 .expected_version = a.version,
                                 .put_body = "a2",
                                 .events = Strings{"e"},
                                 .indexes = {{"live", 1}}});
  transaction.changes.push_back({.name = "b", .put_body = "b1"});
  transaction.changes.push_back({.name = "c", .expected_version = 5});
  const auto outcome = SyncWait(store().Commit(transaction));
  ASSERT_TRUE(outcome);
  ASSERT_FALSE(outcome->committed());
  EXPECT_EQ(outcome->conflict->name, "c");
  EXPECT_EQ(outcome->conflict->expected, 5);
  EXPECT_EQ(Load("a")->body, "a1");
  EXPECT_FALSE(Load("b"));
  EXPECT_THAT(Members("live"), IsEmpty());
  EXPECT_THAT(Journal("a"), IsEmpty());

  transaction.changes.pop_back();
  const auto second = SyncWait(store().Commit(transaction));
  ASSERT_TRUE(second && second->committed());
  ASSERT_EQ(second->documents.size(), 2u);
  EXPECT_EQ(second->documents[0].version, Load("a")->version);
  EXPECT_EQ(second->documents[0].last_sequence, 1);
  EXPECT_EQ(second->documents[1].version, Load("b")->version);
  EXPECT_THAT(Members("live"), ElementsAre("a"));
}

TEST_P(StoreContract, TheFirstMismatchIsTheOneReported) {
  Transaction transaction = One({.name = "a", .expected_version = 3});
  transaction.changes.push_back({.name = "b", .expected_version = 4});
  const auto outcome = SyncWait(store().Commit(transaction));
  ASSERT_TRUE(outcome && !outcome->committed());
  EXPECT_EQ(outcome->conflict->name, "a");
}

TEST_P(StoreContract, PartitionsAreSeparate) {
  Apply({.name = "d", .put_body = "x", .indexes = {{"i", 1}}});
  EXPECT_FALSE(*SyncWait(store().Load("q", "d")));
  EXPECT_EQ(*SyncWait(store().CountIndex("q", "i", 0, 9)), 0);
}

TEST_P(StoreContract, LoadManyAnswersBesideTheNames) {
  Apply({.name = "a", .put_body = "1"});
  Apply({.name = "c", .put_body = "3", .events = Strings{"x", "y"}});
  const auto loaded = SyncWait(store().LoadMany("p", {"a", "b", "c", "a"}));
  ASSERT_TRUE(loaded);
  ASSERT_EQ(loaded->size(), 4u);
  EXPECT_EQ((*loaded)[0]->body, "1");
  EXPECT_FALSE((*loaded)[1]);
  EXPECT_EQ((*loaded)[2]->last_sequence, 2);
  EXPECT_EQ((*loaded)[3]->name, "a");
  EXPECT_TRUE(SyncWait(store().LoadMany("p", {}))->empty());
}

TEST_P(StoreContract, TheJournalIsReadInPages) {
  Strings events;
  for (int i = 1; i <= 10; ++i) events.push_back("e" + std::to_string(i));
  Apply({.name = "d", .events = events});
  const auto page = SyncWait(store().ReadJournal("p", "d", 3, 4));
  ASSERT_TRUE(page);
  EXPECT_EQ(page->last_sequence, 10);
  ASSERT_EQ(page->events.size(), 4u);
  EXPECT_EQ(page->events[0].sequence, 4);
  EXPECT_EQ(page->events[0].payload, "e4");
  EXPECT_EQ(page->events[3].sequence, 7);
  EXPECT_THAT(Journal("d", 10), IsEmpty());
  EXPECT_THAT(Journal("d", 99), IsEmpty());
  EXPECT_EQ(Journal("d", -5).size(), 10u);
  EXPECT_TRUE(SyncWait(store().ReadJournal("p", "d", 0, 0))->events.empty());
  EXPECT_TRUE(SyncWait(store().ReadJournal("p", "d", 0, -1))->events.empty());
  EXPECT_TRUE(SyncWait(store().ReadJournal("p", "d", INT64_MAX, 10))->events.empty());
}

TEST_P(StoreContract, DocumentAndJournalLoadTogether) {
  const Committed made = Apply({.name = "d", .put_body = "body", .events = Strings{"a", "b", "c"}});
  const auto loaded = SyncWait(store().LoadWithJournal("p", "d", 1, 1));
  ASSERT_TRUE(loaded && *loaded);
  EXPECT_EQ((*loaded)->document.body, "body");
  EXPECT_EQ((*loaded)->document.version, made.version);
  EXPECT_EQ((*loaded)->document.last_sequence, 3);
  ASSERT_EQ((*loaded)->events.size(), 1u);
  EXPECT_EQ((*loaded)->events[0].sequence, 2);
  EXPECT_EQ((*loaded)->events[0].payload, "b");
  EXPECT_FALSE(*SyncWait(store().LoadWithJournal("p", "absent", 0, 9)));
}

TEST_P(StoreContract, OldEventsCanBeDroppedWhileNumbersGoOn) {
  Apply({.name = "d", .events = Strings{"1", "2", "3"}, .keep_last_events = 2});
  EXPECT_THAT(Journal("d"), ElementsAre("2", "3"));
  Committed last = Apply({.name = "d",
                          .expected_version = kAnyVersion,
                          .events = Strings{"4"},
                          .keep_last_events = 2});
  EXPECT_EQ(last.last_sequence, 4);
  const auto page = SyncWait(store().ReadJournal("p", "d", 0, 10));
  ASSERT_EQ(page->events.size(), 2u);
  EXPECT_EQ(page->events[0].sequence, 3);
  last = Apply({.name = "d", .expected_version = last.version, .keep_last_events = 0});
  EXPECT_THAT(Journal("d"), IsEmpty());
  EXPECT_EQ(last.last_sequence, 4);
  EXPECT_EQ(
      Apply({.name = "d", .expected_version = last.version, .events = Strings{"5"}}).last_sequence,
      5);
  EXPECT_THAT(Journal("d"), ElementsAre("5"));
}

TEST_P(StoreContract, ADocumentWithATimeToLiveVanishesWithItsJournal) {
  Apply({.name = "d", .put_body = "x", .events = Strings{"a"}, .time_to_live = Millis(50)});
  Apply({.name = "d", .expected_version = kAnyVersion, .events = Strings{"b"}});
  Apply({.name = "kept", .put_body = "x", .time_to_live = Millis(50)});
  Apply({.name = "kept", .expected_version = kAnyVersion, .time_to_live = Millis(0)});
  Apply({.name = "longer", .put_body = "x", .time_to_live = Millis(50)});
  Apply({.name = "longer", .expected_version = kAnyVersion, .time_to_live = Millis(3600'000)});
  backend().PassTime(Millis(60));
  EXPECT_FALSE(Load("d"));
  EXPECT_THAT(Journal("d"), IsEmpty());
  EXPECT_TRUE(Load("kept"));
  EXPECT_TRUE(Load("longer"));
  const Committed again = Apply({.name = "d", .events = Strings{"new"}});
  EXPECT_EQ(again.last_sequence, 1);
  EXPECT_THAT(Journal("d"), ElementsAre("new"));
  backend().PassTime(Millis(60));
  EXPECT_TRUE(Load("d")) << "the new document must not inherit the old expiry";
}

TEST_P(StoreContract, ADocumentCannotBothExpireAndBeInAnIndex) {
  EXPECT_TRUE(
      ExpectError(
          One({.name = "d", .put_body = "x", .indexes = {{"i", 1}}, .time_to_live = Millis(1000)}))
          .Is(kInvalidTransaction));
  EXPECT_FALSE(Load("d"));
  Apply({.name = "d", .put_body = "x", .indexes = {{"i", 1}}});
  EXPECT_TRUE(
      ExpectError(One({.name = "d", .expected_version = kAnyVersion, .time_to_live = Millis(1000)}))
          .Is(kInvalidTransaction));
  Apply({.name = "d",
         .expected_version = kAnyVersion,
         .indexes = {{"i", std::nullopt}},
         .time_to_live = Millis(3600'000)});
  EXPECT_TRUE(ExpectError(One({.name = "d",
                               .expected_version = kAnyVersion,
                               .put_body = "y",
                               .indexes = {{"i", 1}}}))
                  .Is(kInvalidTransaction));
  EXPECT_EQ(Load("d")->body, "x");
  EXPECT_THAT(Members("i"), IsEmpty());
}

TEST_P(StoreContract, WhatIsTooLargeIsRefusedAndTheLimitItselfIsNot) {
  EXPECT_TRUE(ExpectError(One({.name = "d", .put_body = std::string(kMaxBodyBytes + 1, 'x')}))
                  .Is(kTooLarge));
  EXPECT_TRUE(
      ExpectError(One({.name = "d", .events = Strings{std::string(kMaxEventBytes + 1, 'x')}}))
          .Is(kTooLarge));
  EXPECT_TRUE(ExpectError(One({.name = std::string(kMaxNameBytes + 1, 'x'), .put_body = ""}))
                  .Is(kTooLarge));
  EXPECT_TRUE(ExpectError(One({.name = "d", .events = Strings(kMaxEventsPerChange + 1, "")}))
                  .Is(kTooLarge));
  Transaction many = One({.name = "d", .put_body = ""});
  for (std::size_t i = 0; i < kMaxChanges; ++i) {
    many.changes.push_back({.name = std::to_string(i), .put_body = ""});
  }
  EXPECT_TRUE(ExpectError(many).Is(kTooLarge));
  Transaction heavy;
  heavy.partition = "p";
  for (int i = 0; i < 5; ++i) {
    heavy.changes.push_back(
        {.name = std::to_string(i), .put_body = std::string(kMaxBodyBytes, 'x')});
  }
  EXPECT_TRUE(ExpectError(heavy).Is(kTooLarge));

  const std::string longest(kMaxNameBytes, 'n');
  Apply({.name = longest,
         .put_body = std::string(kMaxBodyBytes, 'b'),
         .events = Strings{std::string(kMaxEventBytes, 'e')}});
  EXPECT_EQ(Load(longest)->body.size(), kMaxBodyBytes);
  EXPECT_EQ(Journal(longest).front().size(), kMaxEventBytes);
  Apply({.name = "many", .events = Strings(kMaxEventsPerChange, "")});
  EXPECT_EQ(Journal("many").size(), kMaxEventsPerChange);
}

TEST_P(StoreContract, NonsenseIsRefused) {
  Transaction odd_partition = One({.name = "d", .put_body = ""});
  odd_partition.partition = "a}b";
  EXPECT_TRUE(ExpectError(odd_partition).Is(kInvalidTransaction));
  odd_partition.partition = "";
  EXPECT_TRUE(ExpectError(odd_partition).Is(kInvalidTransaction));
  EXPECT_TRUE(ExpectError(One({.name = "", .put_body = ""})).Is(kInvalidTransaction));
  EXPECT_TRUE(ExpectError(One({.name = "d", .expected_version = -2})).Is(kInvalidTransaction));
  EXPECT_TRUE(ExpectError(One({.name = "d", .put_body = "", .delete_document = true}))
                  .Is(kInvalidTransaction));
  EXPECT_TRUE(ExpectError(One({.name = "d", .put_body = "", .indexes = {{"i", kMaxScore + 1}}}))
                  .Is(kInvalidTransaction));
  EXPECT_TRUE(ExpectError(One({.name = "d", .put_body = "", .indexes = {{"i", 1}, {"i", 2}}}))
                  .Is(kInvalidTransaction));
  EXPECT_TRUE(ExpectError(One({.name = "d", .put_body = "", .time_to_live = Millis(-1)}))
                  .Is(kInvalidTransaction));
  EXPECT_TRUE(ExpectError({"p", {}, {}}).Is(kInvalidTransaction));
  Transaction twice = One({.name = "d", .put_body = ""});
  twice.changes.push_back(twice.changes.front());
  EXPECT_TRUE(ExpectError(twice).Is(kInvalidTransaction));
  EXPECT_TRUE(SyncWait(store().Load("p", "")).error().Is(kInvalidTransaction));
  EXPECT_TRUE(SyncWait(store().Load("{", "d")).error().Is(kInvalidTransaction));
  EXPECT_TRUE(SyncWait(store().CountIndex("p", "i", 0, INT64_MAX)).error().Is(kInvalidTransaction));
  EXPECT_TRUE(SyncWait(store().LoadMany("p", Strings(1001, "x"))).error().Is(kTooLarge));
}

TEST_P(StoreContract, PingSucceeds) { EXPECT_TRUE(SyncWait(store().Ping())); }

}  // namespace
}  // namespace komadai::livestore
