#include "libs/rpc/server/open_connections.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <vector>

namespace komadai::rpc {
namespace {

using Room = OpenConnections::Room;

class OpenConnectionsTest : public ::testing::Test {
 protected:
  ~OpenConnectionsTest() override {
    for (const int descriptor : sockets_) close(descriptor);
  }
  int NewSocket() {
    const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    EXPECT_GE(descriptor, 0);
    sockets_.push_back(descriptor);
    return descriptor;
  }
  void Close(int descriptor) {
    close(descriptor);
    std::erase(sockets_, descriptor);
  }

  std::vector<int> sockets_;
};

TEST_F(OpenConnectionsTest, AnAddressHasItsShareAndOthersHaveTheirs) {
  OpenConnections open({.total = 10, .per_address = 2});
  open.Add(NewSocket(), "192.0.2.1", "");
  EXPECT_EQ(open.RoomFor("192.0.2.1"), Room::kFree);
  open.Add(NewSocket(), "192.0.2.1", "");
  EXPECT_EQ(open.RoomFor("192.0.2.1"), Room::kNoneForAddress);
  EXPECT_EQ(open.RoomFor("192.0.2.2"), Room::kFree);
}

TEST_F(OpenConnectionsTest, AllTogetherHaveALimit) {
  OpenConnections open({.total = 2, .per_address = 0});
  open.Add(NewSocket(), "192.0.2.1", "");
  open.Add(NewSocket(), "", "");
  EXPECT_EQ(open.RoomFor("192.0.2.2"), Room::kNone);
  EXPECT_EQ(open.RoomFor(""), Room::kNone);
}

TEST_F(OpenConnectionsTest, ASocketWithoutAnAddressHasNoLimitOfItsOwn) {
  OpenConnections open({.total = 10, .per_address = 1});
  open.Add(NewSocket(), "", "");
  EXPECT_EQ(open.RoomFor(""), Room::kFree);
}

TEST_F(OpenConnectionsTest, ZeroIsAnyNumber) {
  OpenConnections open({});
  for (int i = 0; i < 50; ++i) open.Add(NewSocket(), "192.0.2.1", "");
  EXPECT_EQ(open.RoomFor("192.0.2.1"), Room::kFree);
  EXPECT_EQ(open.size(), 50u);
}

TEST_F(OpenConnectionsTest, WhatOthersClosedMakesRoomAtOnce) {
  OpenConnections open({.total = 2, .per_address = 2});
  const int first = NewSocket();
  open.Add(first, "192.0.2.1", "");
  open.Add(NewSocket(), "192.0.2.1", "");
  EXPECT_EQ(open.RoomFor("192.0.2.1"), Room::kNone);
  Close(first);
  EXPECT_EQ(open.RoomFor("192.0.2.1"), Room::kFree);
  EXPECT_EQ(open.size(), 1u);
}

TEST_F(OpenConnectionsTest, ANumberThatStandsForAnotherSocketByNowIsNotTheOldOne) {
  OpenConnections open({.total = 0, .per_address = 1});
  const int first = NewSocket();
  open.Add(first, "192.0.2.1", "");
  Close(first);
  EXPECT_EQ(NewSocket(), first);  // the lowest free number
  EXPECT_EQ(open.RoomFor("192.0.2.1"), Room::kFree);
  open.Sweep();
  EXPECT_EQ(open.size(), 0u);
}

}  // namespace
}  // namespace komadai::rpc
