// Topic names of the SubscriptionHub; also the names of the pub/sub channels in Redis.
#pragma once

#include <string>

namespace komadai::livestore {

// A partition has no '}', so these are unambiguous.
inline std::string DocumentTopic(const std::string& partition, const std::string& name) {
  return "{" + partition + "}e:" + name;
}
inline std::string ChannelTopic(const std::string& channel) { return "komadai:c:" + channel; }

}  // namespace komadai::livestore
