#include "libs/telemetry/metrics_server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace komadai::telemetry {
namespace {

using ::testing::HasSubstr;

int ConnectTo(int port) {
  const int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_port = htons(static_cast<std::uint16_t>(port));
  where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(connect(client, reinterpret_cast<const sockaddr*>(&where), sizeof where), 0);
  return client;
}

std::string Scrape(int port) {
  const int client = ConnectTo(port);
  const std::string request = "GET /metrics HTTP/1.0\r\n\r\n";
  EXPECT_EQ(send(client, request.data(), request.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(request.size()));
  std::string answer;
  char buffer[4096];
  for (ssize_t got = 1; got > 0;) {
    got = recv(client, buffer, sizeof buffer, 0);
    if (got > 0) answer.append(buffer, static_cast<std::size_t>(got));
  }
  close(client);
  return answer;
}

// More of them than there are threads.
TEST(MetricsServerTest, SilentConnectionsDoNotKeepAScrapeWaitingForEver) {
  Metrics metrics;
  metrics.Gauge("komadai_test", "A gauge.").Get().Set(7);
  const auto server = MetricsServer::Start("127.0.0.1:0", metrics);
  ASSERT_TRUE(server) << server.error().ToString();
  std::vector<int> silent;
  for (int i = 0; i < 40; ++i) silent.push_back(ConnectTo((*server)->port()));
  EXPECT_THAT(Scrape((*server)->port()), HasSubstr("komadai_test 7"));
  for (const int client : silent) close(client);
}

}  // namespace
}  // namespace komadai::telemetry
