#include "libs/sqlite/file_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libs/sql/errors.h"
#include "libs/testing/temp_dir.h"

namespace komadai::sqlite {
namespace {

using ::testing::HasSubstr;

TEST(FileLockTest, TheSecondIsRefusedAndToldWhoHasIt) {
  const testing::TempDir dir;
  const std::string path = dir.File("komadai.db");
  auto first = FileLock::Take(path);
  ASSERT_TRUE(first) << first.error().ToString();
  const auto second = FileLock::Take(path);
  ASSERT_FALSE(second);
  EXPECT_TRUE(second.error().Is(sql::kStoreUnavailable));
  EXPECT_THAT(second.error().message(), HasSubstr("process " + std::to_string(getpid())));
  *first = nullptr;
  EXPECT_TRUE(FileLock::Take(path));
}

TEST(FileLockTest, AProcessThatIsKilledLeavesNoLock) {
  const testing::TempDir dir;
  const std::string path = dir.File("komadai.db");
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto lock = FileLock::Take(path);
    const char taken = lock ? 'y' : 'n';
    if (write(ready[1], &taken, 1) != 1) _exit(1);
    pause();
    _exit(0);
  }
  char taken = 0;
  ASSERT_EQ(read(ready[0], &taken, 1), 1);
  EXPECT_EQ(taken, 'y');
  EXPECT_FALSE(FileLock::Take(path));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(FileLock::Take(path));
  close(ready[0]);
  close(ready[1]);
}

TEST(FileLockTest, AFolderThatCannotBeWrittenIsAnError) {
  EXPECT_FALSE(FileLock::Take("/no/such/folder/komadai.db"));
}

}  // namespace
}  // namespace komadai::sqlite
