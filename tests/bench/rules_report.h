// One result of the benchmark of the rules as a JSON line on stdout.
#pragma once

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

namespace komadai::bench {

inline void PrintRules(const nlohmann::ordered_json& line) {
  nlohmann::ordered_json whole{{"bench", "rules"}};
  whole.update(line);
  std::printf("%s\n", whole.dump().c_str());
  std::fflush(stdout);
}

inline void Report(const std::string& name, double value, const std::string& unit) {
  PrintRules({{"case", name}, {"value", value}, {"unit", unit}});
}

// Beside a peer that was measured in the same run.
inline void Report(const std::string& name, double value, const std::string& unit,
                   const std::string& peer, double peer_value) {
  PrintRules({{"case", name},
              {"value", value},
              {"unit", unit},
              {"peer", peer},
              {"peer_value", peer_value},
              {"ratio", value / peer_value}});
}

}  // namespace komadai::bench
