#include "libs/rpc/server/connection_calls.h"

#include <gtest/gtest.h>

#include <list>
#include <vector>

namespace komadai::rpc {
namespace {

constexpr char kPeer[] = "ipv4:192.0.2.1:5000";

class ConnectionCallsTest : public ::testing::Test {
 protected:
  std::vector<std::string> cut_;
  ConnectionCalls calls_{2, [this](const std::string& peer) { cut_.push_back(peer); }};
  std::list<ConnectionCalls::Place> places_;
};

TEST_F(ConnectionCallsTest, OneTooManyIsCutOnce) {
  for (int i = 0; i < 2; ++i) places_.emplace_back(calls_, kPeer);
  EXPECT_TRUE(cut_.empty());
  for (int i = 0; i < 3; ++i) places_.emplace_back(calls_, kPeer);
  EXPECT_EQ(cut_, (std::vector<std::string>{kPeer}));
}

TEST_F(ConnectionCallsTest, CallsThatEndedAreNotCounted) {
  for (int i = 0; i < 10; ++i) {
    places_.emplace_back(calls_, kPeer);
    places_.pop_front();
  }
  EXPECT_TRUE(cut_.empty());
}

TEST_F(ConnectionCallsTest, ConnectionsAreCountedForThemselves) {
  for (int i = 0; i < 10; ++i) places_.emplace_back(calls_, kPeer + std::to_string(i));
  EXPECT_TRUE(cut_.empty());
}

TEST_F(ConnectionCallsTest, ThoseOfServicesAreNotCut) {
  places_.emplace_back(calls_, kPeer);
  places_.back().Trust();
  for (int i = 0; i < 10; ++i) places_.emplace_back(calls_, kPeer);
  EXPECT_TRUE(cut_.empty());
}

TEST_F(ConnectionCallsTest, InProcessAndOnUnixSocketsAllConnectionsHaveOneName) {
  for (const char* peer : {"inproc", "unix:/run/x", ""}) {
    for (int i = 0; i < 10; ++i) places_.emplace_back(calls_, peer);
  }
  EXPECT_TRUE(cut_.empty());
}

}  // namespace
}  // namespace komadai::rpc
