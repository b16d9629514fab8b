#include "libs/rpc/server/listener.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <string>
#include <vector>

#include "libs/base/mutex.h"
#include "libs/testing/temp_dir.h"

namespace komadai::rpc {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr int kPatienceMillis = 30'000;  // busy machines

std::size_t PortOf(const std::string& address) {
  return static_cast<std::size_t>(std::stoi(address.substr(address.rfind(':') + 1)));
}

int NewClient() { return socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0); }

bool ConnectTo(int client, const std::string& address) {
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_port = htons(static_cast<std::uint16_t>(PortOf(address)));
  where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return connect(client, reinterpret_cast<const sockaddr*>(&where), sizeof where) == 0;
}

// Whether the server closes the connection. One that it keeps is silent.
bool IsClosed(int client, int patience_millis = kPatienceMillis) {
  pollfd readable{.fd = client, .events = POLLIN, .revents = 0};
  if (poll(&readable, 1, patience_millis) <= 0) return false;
  char byte = 0;
  return recv(client, &byte, 1, MSG_DONTWAIT) <= 0;
}

int OpenDescriptors() {
  int count = 0;
  DIR* const directory = opendir("/proc/self/fd");
  while (readdir(directory) != nullptr) ++count;
  closedir(directory);
  return count - 3;  // ".", ".." and the directory's own
}

class ListenerTest : public ::testing::Test {
 protected:
  ~ListenerTest() override {
    if (listener_ != nullptr) listener_->Stop();
    for (const int client : clients_) close(client);
    CloseTaken();
  }

  void Open(const ListenerLimits& limits, const std::string& address = "127.0.0.1:0") {
    Result<std::unique_ptr<Listener>> listener =
        Listener::Open(address, limits, time_, metrics_, telemetry::Logger::Null());
    ASSERT_TRUE(listener) << listener.error().ToString();
    listener_ = *std::move(listener);
    listener_->Start([this](int, int connection) {
      const MutexLock lock(mutex_);
      taken_.push_back(connection);
      changed_.NotifyAll();
    });
  }
  int Connect() {
    clients_.push_back(NewClient());
    EXPECT_TRUE(ConnectTo(clients_.back(), listener_->address()));
    return clients_.back();
  }
  bool AwaitTaken(std::size_t count) {
    const auto until =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(kPatienceMillis);
    MutexLock lock(mutex_);
    while (taken_.size() < count && changed_.WaitUntil(lock, until)) {
    }
    return taken_.size() >= count;
  }
  void CloseTaken() {
    const MutexLock lock(mutex_);
    for (const int connection : taken_) close(connection);
    taken_.clear();
  }
  double Refused(const char* by) {
    return metrics_
        .Counter("komadai_connections_refused_total", "",
                 {{"by", {"total", "address", "address_rate", "descriptors", "banned"}},
                  {"from", {"loopback", "private", "public", "none"}}})
        .With({by, "loopback"})
        .Value();
  }

  SystemTimeSource time_;
  telemetry::Metrics metrics_;
  std::unique_ptr<Listener> listener_;
  std::vector<int> clients_;
  Mutex mutex_;
  CondVar changed_;
  std::vector<int> taken_ KOMADAI_GUARDED_BY(mutex_);
};

TEST_F(ListenerTest, HandsOnWhatConnects) {
  Open({});
  EXPECT_THAT(listener_->address(), StartsWith("127.0.0.1:"));
  EXPECT_GT(PortOf(listener_->address()), 0u);
  Connect();
  Connect();
  EXPECT_TRUE(AwaitTaken(2));
}

TEST_F(ListenerTest, ClosesWhatIsBeyondTheLimitAndTakesMoreWhenOneIsGone) {
  Open({.open = {.total = 2, .per_address = 0}});
  Connect();
  Connect();
  ASSERT_TRUE(AwaitTaken(2));
  EXPECT_TRUE(IsClosed(Connect()));
  EXPECT_EQ(Refused("total"), 1);
  CloseTaken();
  Connect();
  EXPECT_TRUE(AwaitTaken(1));
}

TEST_F(ListenerTest, AnAddressHasItsOwnLimit) {
  Open({.open = {.total = 0, .per_address = 1}});
  Connect();
  ASSERT_TRUE(AwaitTaken(1));
  EXPECT_TRUE(IsClosed(Connect()));
  EXPECT_EQ(Refused("address"), 1);
}

TEST_F(ListenerTest, AnAddressMayConnectSoOftenOnly) {
  Open({.open = {}, .per_address_and_second = 0.001, .address_burst = 2});
  Connect();
  Connect();
  ASSERT_TRUE(AwaitTaken(2));
  EXPECT_TRUE(IsClosed(Connect()));
  EXPECT_EQ(Refused("address_rate"), 1);
}

// gRPC's own listener would be deaf from the first failure on.
TEST_F(ListenerTest, WithoutDescriptorsItRefusesAndLaterItAcceptsAgain) {
  Open({});
  constexpr int kClients = 40;
  for (int i = 0; i < kClients; ++i) clients_.push_back(NewClient());
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit tight = before;
  tight.rlim_cur = static_cast<rlim_t>(OpenDescriptors() + 8);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &tight), 0);
  for (const int client : clients_) EXPECT_TRUE(ConnectTo(client, listener_->address()));
  EXPECT_TRUE(IsClosed(clients_.back()));
  EXPECT_GT(Refused("descriptors"), 0);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  CloseTaken();
  // One that comes before the listener has its reserve back may be refused; the next is not.
  for (int attempt = 0; attempt < 20; ++attempt) {
    if (!IsClosed(Connect(), 200)) break;
  }
  EXPECT_TRUE(AwaitTaken(1));
}

TEST_F(ListenerTest, StoppedItRefusesToConnect) {
  Open({});
  const std::string address = listener_->address();
  listener_->Stop();
  const int client = NewClient();
  EXPECT_FALSE(ConnectTo(client, address));
  close(client);
}

TEST(ListeningSocketsTest, ABusyPortIsAnError) {
  Result<ListeningSockets> first = ListeningSockets::Open("127.0.0.1:0");
  ASSERT_TRUE(first);
  const Result<ListeningSockets> second = ListeningSockets::Open(first->address());
  ASSERT_FALSE(second);
  EXPECT_TRUE(second.error().Is(kListenFailed));
  EXPECT_THAT(second.error().message(), HasSubstr(first->address()));
  first->Close();
  EXPECT_TRUE(ListeningSockets::Open(first->address()));
}

TEST(ListeningSocketsTest, ANameIsListenedToOnEachOfItsAddresses) {
  const Result<ListeningSockets> sockets = ListeningSockets::Open("localhost:0");
  ASSERT_TRUE(sockets) << sockets.error().ToString();
  EXPECT_GE(sockets->descriptors().size(), 1u);
  EXPECT_THAT(sockets->address(), StartsWith("localhost:"));
  const int client = NewClient();
  EXPECT_TRUE(ConnectTo(client, sockets->address()));
  close(client);
}

TEST(ListeningSocketsTest, TheWildcardOfIpv6TakesIpv4Too) {
  for (const char* any : {"0.0.0.0:0", "[::]:0"}) {
    const Result<ListeningSockets> sockets = ListeningSockets::Open(any);
    ASSERT_TRUE(sockets) << any << ": " << sockets.error().ToString();
    const int client = NewClient();
    EXPECT_TRUE(ConnectTo(client, sockets->address())) << any;
    close(client);
  }
}

TEST(ListeningSocketsTest, UnknownHostsAreAnError) {
  const Result<ListeningSockets> sockets = ListeningSockets::Open("no-such-host.invalid:0");
  ASSERT_FALSE(sockets);
  EXPECT_TRUE(sockets.error().Is(kListenFailed));
}

TEST(ListeningSocketsTest, AUnixSocketThatADeadServerLeftIsTakenOverAndALiveOneIsNot) {
  const testing::TempDir dir;
  const std::string address = "unix:" + dir.File("komadai.sock");
  {
    Result<ListeningSockets> first = ListeningSockets::Open(address);
    ASSERT_TRUE(first) << first.error().ToString();
    EXPECT_FALSE(ListeningSockets::Open(address));
  }  // closed, but the file is still there
  EXPECT_TRUE(ListeningSockets::Open(address));
}

}  // namespace
}  // namespace komadai::rpc
