// komadai-bench-rules: what the law costs, in the library and over gRPC. JSON lines on stdout.
//
// usage: komadai-bench-rules [library|service] [milliseconds of one turn of the service's load]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "libs/rpc/keep_grpc.h"
#include "tests/bench/rules_library.h"
#include "tests/bench/rules_service.h"

int main(int argc, char** argv) {
  komadai::rpc::KeepGrpc();
  using namespace komadai::bench;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::string part = arguments.empty() ? "" : arguments[0];
  if (arguments.size() > 2 || (part != "" && part != "library" && part != "service")) {
    std::fprintf(stderr, "usage: komadai-bench-rules [library|service] [milliseconds a turn]\n");
    return 2;
  }
  RulesLoad load;
  if (arguments.size() == 2) {
    load.turn = std::chrono::milliseconds(std::max(1, std::atoi(arguments[1].c_str())));
  }
  if (part != "service") BenchRulesLibrary();
  if (part == "library") return 0;
  if (const komadai::Status done = BenchRulesService(load); !done) {
    std::fprintf(stderr, "komadai-bench-rules: %s\n", done.error().ToString().c_str());
    return 1;
  }
  return 0;
}
