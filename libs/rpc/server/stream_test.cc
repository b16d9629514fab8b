// Server streams: order, slow consumers, cancellation, drain.
#include <google/protobuf/util/time_util.h>
#include <grpcpp/support/client_callback.h>
#include <gtest/gtest.h>

#include <thread>

#include "komadai/internal/v1/echo.grpc.pb.h"
#include "libs/base/mutex.h"
#include "libs/rpc/echo/echo.h"
#include "libs/rpc/error.h"
#include "libs/rpc/testing/test_server.h"

namespace komadai::rpc {
namespace {

namespace pb = ::komadai::internal::v1;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr int kManyStreams = 300;  // ASan slows everything down; a release build does thousands

// Reads a stream without holding a thread; reading stops after `limit` messages.
class Watcher final : public grpc::ClientReadReactor<pb::WatchEchoResponse> {
 public:
  Watcher(pb::EchoService::Stub& stub, std::unique_ptr<grpc::ClientContext> context,
          const pb::WatchEchoRequest& request, int limit = INT_MAX)
      : context_(std::move(context)), request_(request), limit_(limit) {
    stub.async()->WatchEcho(context_.get(), &request_, this);
    AddHold();
    StartRead(&message_);
    StartCall();
  }
  ~Watcher() override {
    Resume();
    context_->TryCancel();
    const Error ended = WaitForEnd();
  }

  int WaitForMessages(int count) {
    const auto until = std::chrono::steady_clock::now() + seconds(60);
    MutexLock lock(mutex_);
    while (received_ < count && !done_ && changed_.WaitUntil(lock, until)) {
    }
    return received_;
  }
  // Reads on without limit.
  void Resume() {
    {
      const MutexLock lock(mutex_);
      if (std::exchange(resumed_, true)) return;
      limit_ = INT_MAX;
      if (paused_) StartRead(&message_);
    }
    RemoveHold();
  }
  Error WaitForEnd() {
    const auto until = std::chrono::steady_clock::now() + seconds(60);
    MutexLock lock(mutex_);
    while (!done_ && changed_.WaitUntil(lock, until)) {
    }
    EXPECT_TRUE(done_);
    return status_.ok() ? Error({Code::kOk, "OK"}, "") : FromGrpcStatus(status_);
  }
  bool consecutive() {
    const MutexLock lock(mutex_);
    return consecutive_;
  }
  void Cancel() { context_->TryCancel(); }

 private:
  void OnReadDone(bool ok) override {
    if (!ok) return;
    const MutexLock lock(mutex_);
    consecutive_ &= message_.sequence() == static_cast<std::uint64_t>(++received_);
    changed_.NotifyAll();
    paused_ = received_ >= limit_;
    if (!paused_) StartRead(&message_);
  }
  void OnDone(const grpc::Status& status) override {
    const MutexLock lock(mutex_);
    status_ = status;
    done_ = true;
    changed_.NotifyAll();
  }

  std::unique_ptr<grpc::ClientContext> context_;
  pb::WatchEchoRequest request_;
  pb::WatchEchoResponse message_;
  Mutex mutex_;
  CondVar changed_;
  int limit_ KOMADAI_GUARDED_BY(mutex_);
  int received_ KOMADAI_GUARDED_BY(mutex_) = 0;
  bool consecutive_ KOMADAI_GUARDED_BY(mutex_) = true;
  bool paused_ KOMADAI_GUARDED_BY(mutex_) = false;
  bool resumed_ KOMADAI_GUARDED_BY(mutex_) = false;
  bool done_ KOMADAI_GUARDED_BY(mutex_) = false;
  grpc::Status status_ KOMADAI_GUARDED_BY(mutex_);
};

pb::WatchEchoRequest Request(std::uint64_t count, std::uint32_t bytes = 0) {
  pb::WatchEchoRequest request;
  request.set_count(count);
  request.set_payload_bytes(bytes);
  return request;
}

// In process and over TCP: two transports with different flow control.
class StreamTest : public ::testing::TestWithParam<bool> {
 protected:
  StreamTest() : server_({EchoComponent()}, Options()) {
    stub_ = pb::EchoService::NewStub(GetParam() ? server_.NewTcpChannel() : server_.channel());
  }
  static TestServerOptions Options() {
    TestServerOptions options{.listen = true};
    options.settings.slow_client_limit = Millis(200);
    return options;
  }
  std::unique_ptr<grpc::ClientContext> Context() {
    auto context = std::make_unique<grpc::ClientContext>();
    context->AddMetadata("authorization", authorization_);
    return context;
  }
  bool NoStreamLeft() {
    const auto limit = steady_clock::now() + seconds(60);
    while (server_.server().drain_signal().size() > 0) {
      if (steady_clock::now() > limit) return false;
      std::this_thread::yield();
    }
    return true;
  }

  TestServer server_;
  std::string authorization_ = server_.Authorization(CallerKind::kGuest, "p1");
  std::unique_ptr<pb::EchoService::Stub> stub_;
};

TEST_P(StreamTest, MessagesArriveInOrderAndTheStreamCompletes) {
  Watcher watcher(*stub_, Context(), Request(200, 1000));
  watcher.Resume();
  EXPECT_EQ(watcher.WaitForEnd().code(), Code::kOk);
  EXPECT_EQ(watcher.WaitForMessages(0), 200);
  EXPECT_TRUE(watcher.consecutive());
  EXPECT_TRUE(NoStreamLeft());
}

TEST_P(StreamTest, ASlowConsumerIsCutOff) {
  Watcher watcher(*stub_, Context(), Request(100000, 16 * 1024));
  watcher.Resume();  // reads what was in flight, then learns why
  const Error error = watcher.WaitForEnd();
  EXPECT_TRUE(error.Is(kSlowConsumer)) << error.ToString();
  EXPECT_LT(watcher.WaitForMessages(0), 1000);
  EXPECT_TRUE(watcher.consecutive());
  EXPECT_TRUE(NoStreamLeft());
}

TEST_P(StreamTest, CancelledStreamsAreFreed) {
  for (int i = 0; i < kManyStreams; ++i) {
    Watcher watcher(*stub_, Context(), Request(0));
    if (i % 2 == 0) watcher.WaitForMessages(1);  // cancelled while open, or while it opens
    watcher.Cancel();
  }
  EXPECT_TRUE(NoStreamLeft());  // AddressSanitizer checks that nothing leaked
}

TEST_P(StreamTest, AConsumerThatNeverReadsIsFreedWhenItLeaves) {
  for (int i = 0; i < 20; ++i) {
    Watcher watcher(*stub_, Context(), Request(100000, 16 * 1024), /*limit=*/1);
    watcher.WaitForMessages(1);
    watcher.Cancel();
  }
  EXPECT_TRUE(NoStreamLeft());
}

TEST_P(StreamTest, AnEndedStreamIsFreedAlthoughItsConsumerNeverReads) {
  Watcher watcher(*stub_, Context(), Request(100000, 16 * 1024), /*limit=*/1);
  EXPECT_EQ(watcher.WaitForMessages(1), 1);
  EXPECT_TRUE(NoStreamLeft());  // while the client is still there
}

TEST_P(StreamTest, DrainEndsOpenStreamsWithUnavailableInTime) {
  std::vector<std::unique_ptr<Watcher>> watchers;
  for (int i = 0; i < kManyStreams; ++i) {
    watchers.push_back(std::make_unique<Watcher>(*stub_, Context(), Request(0)));
  }
  for (const auto& watcher : watchers) {
    EXPECT_EQ(watcher->WaitForMessages(1), 1);
    watcher->Resume();
  }
  const auto start = steady_clock::now();
  server_.server().Drain();
  EXPECT_LT(steady_clock::now() - start, seconds(10));  // the grace period is not used up
  for (const auto& watcher : watchers) {
    const Error error = watcher->WaitForEnd();
    EXPECT_EQ(error.code(), Code::kUnavailable);
    EXPECT_EQ(error.reason(), "DRAINING") << error.ToString();
  }
}

TEST_P(StreamTest, DrainLetsARunningCallFinish) {
  pb::EchoRequest request;
  request.set_payload("x");
  *request.mutable_delay() = google::protobuf::util::TimeUtil::MillisecondsToDuration(300);
  pb::EchoResponse response;
  grpc::Status status;
  const auto context = Context();
  std::thread caller([&] { status = stub_->Echo(context.get(), request, &response); });
  const auto in_flight = [&] {
    return server_.server().metrics().Scrape().find(
               "komadai_rpc_in_flight{method=\"Echo\",service=\"komadai.internal.v1."
               "EchoService\"} 1") != std::string::npos;
  };
  while (!in_flight()) std::this_thread::yield();
  server_.server().Drain();
  caller.join();
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.payload(), "x");
}

INSTANTIATE_TEST_SUITE_P(Transports, StreamTest, ::testing::Bool(),
                         [](const auto& param) { return param.param ? "Tcp" : "InProcess"; });

}  // namespace
}  // namespace komadai::rpc
