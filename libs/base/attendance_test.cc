#include "libs/base/attendance.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>
#include <vector>

namespace komadai {
namespace {

using Names = std::vector<std::string>;

TEST(AttendanceTest, ANameIsPresentUntilItsLastHandleIsLetGo) {
  Attendance attendance;
  std::shared_ptr<void> first = attendance.Enter("ann");
  std::shared_ptr<void> second = attendance.Enter("ann");
  const std::shared_ptr<void> bob = attendance.Enter("bob");
  EXPECT_EQ(attendance.size(), 2u);
  first.reset();
  EXPECT_EQ(attendance.size(), 2u);
  second.reset();
  EXPECT_EQ(attendance.Names(), Names{"bob"});
}

TEST(AttendanceTest, ListenersAreToldOfTheFirstAndTheLastHandleOnly) {
  Names came;
  Names left;
  Attendance attendance([&](const std::string& name) { came.push_back(name); },
                        [&](const std::string& name) { left.push_back(name); });
  std::shared_ptr<void> first = attendance.Enter("ann");
  std::shared_ptr<void> second = attendance.Enter("ann");
  EXPECT_EQ(came, Names{"ann"});
  first.reset();
  EXPECT_EQ(left, Names{});
  second.reset();
  EXPECT_EQ(left, Names{"ann"});
  first = attendance.Enter("ann");
  EXPECT_EQ(came, (Names{"ann", "ann"}));
}

TEST(AttendanceTest, AListenerMayAskWhoIsPresent) {
  std::size_t seen = 0;
  std::optional<Attendance> attendance;
  attendance.emplace([&](const std::string&) { seen = attendance->size(); });
  const std::shared_ptr<void> ann = attendance->Enter("ann");
  EXPECT_EQ(seen, 1u);
}

TEST(AttendanceTest, AHandleMayOutliveTheAttendance) {
  std::shared_ptr<void> late;
  {
    Attendance attendance;
    late = attendance.Enter("ann");
  }
  late.reset();
}

TEST(AttendanceTest, ManyThreadsLeaveNobodyBehind) {
  std::atomic<int> present{0};
  Attendance attendance([&](const std::string&) { ++present; },
                        [&](const std::string&) { --present; });
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 1000; ++round) {
        const std::shared_ptr<void> here = attendance.Enter("ann");
        const std::shared_ptr<void> again = attendance.Enter("player" + std::to_string(round % 3));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(attendance.size(), 0u);
  EXPECT_EQ(present, 0);
}

}  // namespace
}  // namespace komadai
