// Promise P7: for any request to any method, the answer is a typed status, the server survives, and
// a refused request leaves nothing behind.
//
// Every method of every service, from the descriptors. KOMADAI_HOSTILE_SEED and
// KOMADAI_HOSTILE_ROUNDS (random requests a method) change what is tried; a failure names its seed.
#include "tests/security/hostile.h"

#include <google/protobuf/stubs/logging.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "tests/security/whole_server.h"

namespace komadai {
namespace {

using rpc::CallerKind;

std::uint64_t FromEnvironment(const char* name, std::uint64_t standard) {
  const char* text = std::getenv(name);
  return text == nullptr ? standard : std::strtoull(text, nullptr, 10);
}

// A failure that our code made, with its reason; an answer that no code of ours made has none.
bool HasReason(const grpc::Status& status) {
  google::rpc::Status details;
  google::rpc::ErrorInfo info;
  return details.ParseFromString(status.error_details()) && details.details_size() > 0 &&
         details.details(0).UnpackTo(&info) && !info.reason().empty();
}

class HostileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    google::protobuf::SetLogHandler(nullptr);  // a line for every broken text, as it is meant here
    rows_before_ = whole_.Rows();
  }

  // As a player where players may call the method, else as a service.
  static CallerKind CallerOf(const rpc::Method& method) {
    return method.options.allow.Contains(CallerKind::kPlayer) ? CallerKind::kPlayer
                                                              : CallerKind::kService;
  }

  void Try(const rpc::Method& method, const std::string& bytes, const std::string& what) {
    std::unique_ptr<grpc::ClientContext> context =
        whole_.server().ContextAs(CallerOf(method), "mallory");
    const bool stream = WholeServer::DescriptorOf(method).server_streaming();
    if (stream) {  // one that stays open has taken the request: that is an answer
      context->set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(100));
    }
    const Reply reply = whole_.Send(method, bytes, std::move(context));
    ++tried_;
    if (reply.status.ok()) {
      ++accepted_;
      return;
    }
    const grpc::StatusCode code = reply.status.error_code();
    if (stream && code == grpc::StatusCode::DEADLINE_EXCEEDED) return;
    const std::unique_ptr<google::protobuf::Message> parsed = whole_.NewRequest(method);
    if (bytes.size() <= method.options.max_request_bytes && !parsed->ParseFromString(bytes)) {
      EXPECT_EQ(code, grpc::StatusCode::INVALID_ARGUMENT) << what;
      EXPECT_EQ(reply.reason, "MALFORMED_REQUEST") << what;
      ++malformed_;
      return;
    }
    if (code == grpc::StatusCode::RESOURCE_EXHAUSTED && bytes.size() > kLargestMessage) return;
    EXPECT_NE(code, grpc::StatusCode::UNKNOWN) << what << ": " << reply.status.error_message();
    EXPECT_NE(code, grpc::StatusCode::INTERNAL) << what << ": " << reply.status.error_message();
    EXPECT_TRUE(HasReason(reply.status)) << what << ": " << reply.status.error_message();
  }

  void ExpectAliveAndUnburdened() {
    EXPECT_EQ(whole_.server().HealthOf("live"), "SERVING");
    for (const rpc::Method* method : whole_.methods()) {
      if (method->name != "ListVariants") continue;
      const Reply reply = whole_.Send(*method, "", whole_.server().AnonymousContext());
      EXPECT_TRUE(reply.status.ok()) << reply.status.error_message();
    }
    // An accepted request may write a handful of rows (a game its body, journal and indexes); a
    // refused one writes none.
    const std::int64_t grown = whole_.Rows() - rows_before_;
    EXPECT_LE(grown, 8 * accepted_) << "of " << tried_ << " requests";
    std::printf("%lld requests, %lld accepted, %lld rows more\n", static_cast<long long>(tried_),
                static_cast<long long>(accepted_), static_cast<long long>(grown));
  }

  static constexpr std::size_t kLargestMessage = 4 * 1024 * 1024;
  WholeServer whole_;
  std::int64_t rows_before_ = 0;
  std::int64_t tried_ = 0;
  std::int64_t accepted_ = 0;
  std::int64_t malformed_ = 0;
};

TEST_F(HostileTest, P7EveryMethodAnswersWhateverItsFieldsHold) {
  for (const rpc::Method* method : whole_.methods()) {
    for (const Filling& filling : HostileFillings()) {
      const std::unique_ptr<google::protobuf::Message> request = whole_.NewRequest(*method);
      Fill(filling, *request);
      Try(*method, request->SerializeAsString(), method->full_name + " with " + filling.name);
    }
  }
  ExpectAliveAndUnburdened();
}

TEST_F(HostileTest, P7EveryMethodAnswersRandomRequestsAndBrokenOnes) {
  const std::uint64_t seed = FromEnvironment("KOMADAI_HOSTILE_SEED", 20'240'501);
  const std::uint64_t rounds = FromEnvironment("KOMADAI_HOSTILE_ROUNDS", 30);
  std::uint64_t number = 0;
  for (const rpc::Method* method : whole_.methods()) {
    for (std::uint64_t round = 0; round < rounds; ++round) {
      SeededRandom random(seed + ++number);
      const std::string what = method->full_name +
                               ", KOMADAI_HOSTILE_SEED=" + std::to_string(seed) + ", request " +
                               std::to_string(number);
      const std::unique_ptr<google::protobuf::Message> request = whole_.NewRequest(*method);
      FillAtRandom(random, *request);
      const std::string bytes = request->SerializeAsString();
      Try(*method, bytes, what);
      Try(*method, Mutated(random, bytes), what + ", mutated");
    }
  }
  EXPECT_GT(malformed_, 0);
  ExpectAliveAndUnburdened();
}

}  // namespace
}  // namespace komadai
