// Against a real redis-server: results, pipelining, limits, and what happens when it dies, stalls,
// loads or turns read-only.
#include "libs/redis/client.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "libs/base/mutex.h"
#include "libs/base/sync_wait.h"
#include "libs/redis/subscriber.h"
#include "libs/testing/temp_redis.h"

namespace komadai::redis {
namespace {

using testing::TempRedis;
using namespace std::chrono_literals;

std::unique_ptr<TempRedis> StartRedis(TempRedis::Options options = {}) {
  Result<std::unique_ptr<TempRedis>> redis = TempRedis::Start(std::move(options));
  if (!redis) {
    ADD_FAILURE() << redis.error().ToString();
    std::abort();
  }
  return *std::move(redis);
}

Options PatientOptions(const TempRedis& redis) {
  Options options = *ParseUrl(redis.Url());
  options.offline_patience = 30s;
  options.command_timeout = 30s;
  return options;
}

class ClientTest : public ::testing::Test {
 protected:
  Result<Reply> Run(Client& client, Arguments command) {
    return SyncWait(client.Command(std::move(command)));
  }

  std::unique_ptr<TempRedis> redis_ = StartRedis();
  std::shared_ptr<EventLoop> loop_ = std::make_shared<EventLoop>();
};

TEST_F(ClientTest, CommandsAnswerAndArgumentsAreAnyBytes) {
  Client client(loop_, PatientOptions(*redis_));
  const std::string bytes("\0\r\n\xff", 4);
  ASSERT_TRUE(Run(client, {"SET", bytes, bytes}));
  EXPECT_EQ(Run(client, {"GET", bytes})->text, bytes);
  EXPECT_TRUE(Run(client, {"GET", "absent"})->IsNil());
  EXPECT_EQ(Run(client, {"INCR", "n"})->integer, 1);
  const Result<Reply> refused = Run(client, {"INCR", bytes});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().Is(kErrorReply));
  EXPECT_EQ(client.pending(), 0u);
}

TEST_F(ClientTest, ConcurrentCallersAllGetTheirOwnReply) {
  Client client(loop_, PatientOptions(*redis_));
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 500; ++i) {
        const std::string text = std::to_string(t) + ":" + std::to_string(i);
        const Result<Reply> reply = Run(client, {"ECHO", text});
        if (!reply || reply->text != text) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(ClientTest, AScriptTheServerHasForgottenIsLoadedAgain) {
  Client client(loop_, PatientOptions(*redis_), {"return {KEYS[1], ARGV[1]}"});
  ASSERT_TRUE(Run(client, {"PING"}));
  const Result<Reply> first = SyncWait(client.Eval(0, {"k"}, {"a"}));
  ASSERT_TRUE(first);
  EXPECT_EQ(first->elements[1].text, "a");
  ASSERT_TRUE(Run(client, {"SCRIPT", "FLUSH"}));
  const Result<Reply> second = SyncWait(client.Eval(0, {"k"}, {"b"}));
  ASSERT_TRUE(second);
  EXPECT_EQ(second->elements[1].text, "b");
}

TEST_F(ClientTest, WithoutAServerCommandsFailAsUnavailable) {
  redis_->Kill();
  Options options = *ParseUrl(redis_->Url());
  options.offline_patience = 10ms;
  Client client(loop_, options);
  const Result<Reply> reply = Run(client, {"PING"});
  ASSERT_FALSE(reply);
  EXPECT_TRUE(reply.error().Is(kUnavailable));
}

TEST_F(ClientTest, ARestartedServerIsFoundAgain) {
  Client client(loop_, PatientOptions(*redis_), {"return redis.call('GET', KEYS[1])"});
  ASSERT_TRUE(Run(client, {"SET", "k", "kept"}));
  for (int round = 0; round < 3; ++round) {
    redis_->Kill();
    ASSERT_TRUE(redis_->Restart());
    Result<Reply> reply = SyncWait(client.Eval(0, {"k"}, {}));
    // The client may have sent this one on the dying connection.
    if (!reply) reply = SyncWait(client.Eval(0, {"k"}, {}));
    ASSERT_TRUE(reply) << reply.error().ToString();
    EXPECT_EQ(reply->text, "kept");
  }
}

TEST_F(ClientTest, ASilentServerLeavesSentCommandsInDoubt) {
  Options options = PatientOptions(*redis_);
  options.command_timeout = 100ms;
  Client client(loop_, options);
  ASSERT_TRUE(Run(client, {"PING"}));
  redis_->Pause();
  const Result<Reply> reply = Run(client, {"SET", "k", "v"});
  ASSERT_FALSE(reply);
  EXPECT_TRUE(reply.error().Is(kInDoubt)) << reply.error().ToString();
  redis_->Resume();
  Result<Reply> again = Run(client, {"GET", "k"});
  while (!again) again = Run(client, {"GET", "k"});
  EXPECT_EQ(again->text, "v") << "it had been sent, after all";
}

TEST_F(ClientTest, TooManyPendingCommandsAreRefused) {
  Options options = PatientOptions(*redis_);
  options.max_pending_commands = 3;
  options.command_timeout = 100ms;
  Client client(loop_, options);
  ASSERT_TRUE(Run(client, {"PING"}));
  redis_->Pause();
  std::atomic<int> refused = 0;
  std::atomic<int> done = 0;
  for (int i = 0; i < 10; ++i) {
    client.Send({"PING"}, [&](Result<Reply> reply) {
      if (!reply && reply.error().Is(kOverloaded)) ++refused;
      ++done;
    });
  }
  EXPECT_EQ(refused, 7);
  EXPECT_EQ(done, 7);
  redis_->Resume();
  Result<Reply> last = Run(client, {"PING"});
  while (!last) last = Run(client, {"PING"});
  EXPECT_EQ(client.pending(), 0u);
}

TEST_F(ClientTest, TooManyPendingBytesAreRefused) {
  Options options = PatientOptions(*redis_);
  options.max_pending_bytes = 1000;
  Client client(loop_, options);
  const Result<Reply> reply = Run(client, {"SET", "k", std::string(2000, 'x')});
  ASSERT_FALSE(reply);
  EXPECT_TRUE(reply.error().Is(kOverloaded));
  EXPECT_TRUE(Run(client, {"PING"}));
}

TEST_F(ClientTest, PendingCommandsFailWhenTheClientEnds) {
  std::atomic<int> failed = 0;
  {
    Client client(loop_, PatientOptions(*redis_));
    ASSERT_TRUE(Run(client, {"PING"}));
    redis_->Pause();
    for (int i = 0; i < 5; ++i) {
      client.Send({"PING"}, [&](Result<Reply> reply) { failed += reply ? 0 : 1; });
    }
  }
  EXPECT_EQ(failed, 5);
  redis_->Resume();
}

class ConnectionCounter final : public Observer {
 public:
  void OnConnected() override { ++connected; }
  void OnDisconnected(const std::string&) override { ++disconnected; }
  std::atomic<int> connected = 0;
  std::atomic<int> disconnected = 0;
};

TEST_F(ClientTest, AServerTurnedReplicaIsLeftUntilItIsThePrimaryAgain) {
  Options options = PatientOptions(*redis_);
  options.offline_patience = 100ms;
  ConnectionCounter counter;
  Client client(loop_, options, {}, &counter);
  Options admin_options = PatientOptions(*redis_);
  admin_options.require_primary = false;
  Client admin(loop_, admin_options);
  ASSERT_TRUE(Run(client, {"SET", "k", "v"}));
  ASSERT_TRUE(Run(admin, {"REPLICAOF", "127.0.0.1", "1"}));
  const Result<Reply> read_only = Run(client, {"SET", "k", "w"});
  ASSERT_FALSE(read_only);
  EXPECT_TRUE(read_only.error().Is(kUnavailable)) << read_only.error().ToString();
  while (counter.disconnected == 0) std::this_thread::yield();
  const Result<Reply> refused = Run(client, {"GET", "k"});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().Is(kUnavailable));
  ASSERT_TRUE(Run(admin, {"REPLICAOF", "NO", "ONE"}));
  Result<Reply> writes = Run(client, {"SET", "k", "x"});
  while (!writes) writes = Run(client, {"SET", "k", "x"});
  EXPECT_GE(counter.connected, 2);
}

TEST(ClientLoginTest, PasswordUserAndDatabaseAreUsedOverTcp) {
  const auto redis = StartRedis({.tcp = true, .arguments = {"--requirepass", "sesame"}});
  const auto loop = std::make_shared<EventLoop>();
  const std::string address = redis->Url().substr(std::string("redis://").size());
  Options options = *ParseUrl("redis://default:sesame@" + address + "/5");
  options.offline_patience = 30s;
  Client client(loop, options);
  ASSERT_TRUE(SyncWait(client.Command({"SET", "k", "v"})));
  Options other = *ParseUrl("redis://:sesame@" + address + "/4");
  other.offline_patience = 30s;
  Client elsewhere(loop, other);
  EXPECT_TRUE(SyncWait(elsewhere.Command({"GET", "k"}))->IsNil());
  Options wrong = *ParseUrl("redis://:wrong@" + address);
  wrong.offline_patience = 100ms;
  Client stranger(loop, wrong);
  const Result<Reply> refused = SyncWait(stranger.Command({"GET", "k"}));
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().Is(kUnavailable));
  EXPECT_EQ(refused.error().message().find("wrong@"), std::string::npos);
}

// Collects what a Subscriber says as short lines.
class Log {
 public:
  Subscriber::Handlers Handlers() {
    return {
        [this](const std::string& channel, const std::string& text) { Add(channel + "=" + text); },
        [this](const std::string& channel) { Add("live " + channel); }, [this] { Add("lost"); },
        [] {}};
  }
  void Add(std::string line) {
    const MutexLock lock(mutex_);
    lines_.push_back(std::move(line));
    changed_.NotifyAll();
  }
  // Waits for the line to appear (again), behind everything waited for before.
  bool WaitFor(const std::string& line) {
    const auto until = std::chrono::steady_clock::now() + 60s;
    MutexLock lock(mutex_);
    do {
      while (next_ < lines_.size()) {
        if (lines_[next_++] == line) return true;
      }
    } while (changed_.WaitUntil(lock, until));
    return false;
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  std::vector<std::string> lines_ KOMADAI_GUARDED_BY(mutex_);
  std::size_t next_ KOMADAI_GUARDED_BY(mutex_) = 0;
};

TEST_F(ClientTest, ASubscriberHearsItsChannelsAlsoAfterARestart) {
  Log log;
  Client client(loop_, PatientOptions(*redis_));
  Subscriber subscriber(loop_, PatientOptions(*redis_), log.Handlers());
  loop_->RunAndWait([&] {
    subscriber.Subscribe("a");
    for (int i = 0; i < 1000; ++i) subscriber.Subscribe("many" + std::to_string(i));
  });
  ASSERT_TRUE(log.WaitFor("live many999"));
  ASSERT_TRUE(Run(client, {"PUBLISH", "a", "1"}));
  ASSERT_TRUE(log.WaitFor("a=1"));
  redis_->Kill();
  ASSERT_TRUE(log.WaitFor("lost"));
  ASSERT_TRUE(redis_->Restart());
  ASSERT_TRUE(log.WaitFor("live many999"));
  Result<Reply> published = Run(client, {"PUBLISH", "a", "2"});
  if (!published) published = Run(client, {"PUBLISH", "a", "2"});
  ASSERT_TRUE(log.WaitFor("a=2"));
  loop_->RunAndWait([&] { subscriber.Unsubscribe("a"); });
  ASSERT_TRUE(Run(client, {"PUBLISH", "a", "3"}));
  ASSERT_TRUE(Run(client, {"PUBLISH", "many0", "4"}));
  ASSERT_TRUE(log.WaitFor("many0=4"));
}

TEST_F(ClientTest, ASubscriberLeavesASilentServer) {
  Log log;
  Options options = PatientOptions(*redis_);
  options.command_timeout = 100ms;
  Subscriber subscriber(loop_, options, log.Handlers());
  loop_->RunAndWait([&] { subscriber.Subscribe("a"); });
  ASSERT_TRUE(log.WaitFor("live a"));
  redis_->Pause();
  ASSERT_TRUE(log.WaitFor("lost"));
  redis_->Resume();
  ASSERT_TRUE(log.WaitFor("live a"));
}

}  // namespace
}  // namespace komadai::redis
