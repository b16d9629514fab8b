#include "libs/rpc/error.h"

#include <grpcpp/support/error_details.h>
#include <gtest/gtest.h>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"

namespace komadai::rpc {
namespace {

constexpr Reason kNotYourTurn{Code::kFailedPrecondition, "NOT_YOUR_TURN"};

google::rpc::Status DetailsOf(const grpc::Status& status) {
  google::rpc::Status details;
  EXPECT_TRUE(grpc::ExtractErrorDetails(status, &details).ok());
  return details;
}

TEST(ErrorMappingTest, EveryCodeKeepsItsNumberReasonAndMetadataOverTheWire) {
  for (int code = 1; code <= 16; ++code) {
    const Error error =
        Error::FromWire(static_cast<Code>(code), "SOME_REASON", "text", {{"game", "g1"}});
    const grpc::Status status = ToGrpcStatus(error);
    EXPECT_EQ(static_cast<int>(status.error_code()), code);
    EXPECT_EQ(status.error_message(), "text");
    const Error back = FromGrpcStatus(status);
    EXPECT_EQ(back.code(), error.code());
    EXPECT_EQ(back.reason(), "SOME_REASON");
    EXPECT_EQ(back.message(), "text");
    EXPECT_EQ(back.metadata(), error.metadata());
  }
}

TEST(ErrorMappingTest, DetailsAreOneErrorInfoInOurDomain) {
  const google::rpc::Status details =
      DetailsOf(ToGrpcStatus(Error(kNotYourTurn, "it is gote's turn", {{"ply", "3"}})));
  EXPECT_EQ(details.code(), 9);
  EXPECT_EQ(details.message(), "it is gote's turn");
  ASSERT_EQ(details.details_size(), 1);
  EXPECT_EQ(details.details(0).type_url(), "type.googleapis.com/google.rpc.ErrorInfo");
  google::rpc::ErrorInfo info;
  ASSERT_TRUE(details.details(0).UnpackTo(&info));
  EXPECT_EQ(info.reason(), "NOT_YOUR_TURN");
  EXPECT_EQ(info.domain(), "komadai");
  EXPECT_EQ(info.metadata().at("ply"), "3");
}

// The bytes that helpers of other languages read: field numbers are part of the contract.
TEST(ErrorMappingTest, DetailBytesAreTheWellKnownOnes) {
  const grpc::Status status = ToGrpcStatus(Error(Reason{Code::kNotFound, "R"}, "m"));
  const std::string info = std::string("\x0a\x01R\x12\x07komadai", 12);
  const std::string any = std::string("\x0a\x28") + "type.googleapis.com/google.rpc.ErrorInfo" +
                          std::string("\x12\x0c") + info;
  const std::string expected =
      std::string("\x08\x05\x12\x01m\x1a", 6) + static_cast<char>(any.size()) + any;
  EXPECT_EQ(status.error_details(), expected);
}

TEST(ErrorMappingTest, RetryAfterBecomesRetryInfo) {
  const google::rpc::Status details =
      DetailsOf(ToGrpcStatus(Error(kOverloaded, "later", {{kRetryAfterMs, "1500"}})));
  ASSERT_EQ(details.details_size(), 2);
  google::rpc::RetryInfo retry;
  ASSERT_TRUE(details.details(1).UnpackTo(&retry));
  EXPECT_EQ(retry.retry_delay().seconds(), 1);
  EXPECT_EQ(retry.retry_delay().nanos(), 500000000);
  EXPECT_EQ(
      DetailsOf(ToGrpcStatus(Error(kOverloaded, "x", {{kRetryAfterMs, "soon"}}))).details_size(),
      1);
}

TEST(ErrorMappingTest, AWrongFieldBecomesBadRequest) {
  const google::rpc::Status details = DetailsOf(
      ToGrpcStatus(InvalidField(kInvalidArgument, "time_control.main_time", "is negative")));
  ASSERT_EQ(details.details_size(), 2);
  google::rpc::BadRequest bad;
  ASSERT_TRUE(details.details(1).UnpackTo(&bad));
  EXPECT_EQ(bad.field_violations(0).field(), "time_control.main_time");
}

TEST(ErrorMappingTest, HostileTextsAreCutAndMadeUtf8) {
  const std::string hostile = std::string(100000, 'x') + "\xff\xfe";
  const Error error(kInvalidArgument, "\xff駒\xed\xa0\x80" + hostile, {{"move", "\xe9" + hostile}});
  const grpc::Status status = ToGrpcStatus(error);
  EXPECT_LT(status.error_details().size(), 4000u);
  const Error back = FromGrpcStatus(status);
  EXPECT_EQ(back.message().substr(0, 8), "?駒???x");
  EXPECT_EQ(back.metadata().at("move").substr(0, 2), "?x");
}

TEST(ErrorMappingTest, ManyMetadataEntriesAreBounded) {
  std::map<std::string, std::string> many;
  for (int i = 0; i < 1000; ++i) many["key" + std::to_string(i)] = std::string(1000, 'v');
  EXPECT_LT(ToGrpcStatus(Error(kInternal, "m", many)).error_details().size(), 8000u);
}

TEST(ErrorMappingTest, AStatusWithoutDetailsGetsAReasonFromItsCode) {
  const Error error = FromGrpcStatus(grpc::Status(grpc::StatusCode::UNAVAILABLE, "no route"));
  EXPECT_EQ(error.code(), Code::kUnavailable);
  EXPECT_EQ(error.reason(), "RPC_UNAVAILABLE");
  EXPECT_EQ(error.message(), "no route");
  const Error garbled =
      FromGrpcStatus(grpc::Status(grpc::StatusCode::NOT_FOUND, "x", "not a protobuf \xff"));
  EXPECT_EQ(garbled.reason(), "RPC_NOT_FOUND");
}

}  // namespace
}  // namespace komadai::rpc
