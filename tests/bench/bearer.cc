#include "tests/bench/bearer.h"

#include <cstdio>
#include <cstdlib>

#include "libs/rpc/auth/token.h"
#include "libs/testing/local_stack.h"

namespace komadai::bench {

void Die(const std::string& what) {
  std::fprintf(stderr, "komadai-bench: %s\n", what.c_str());
  std::exit(1);
}

std::string Bearer(rpc::CallerKind kind, const std::string& id) {
  const rpc::TokenMinter minter({testing::kTestTokenSecret});
  const TimePoint now = SystemTimeSource().Now();
  const Result<std::string> token =
      minter.Mint({kind, id, id}, now, now + Millis(std::int64_t{3600} * 1000));
  if (!token) Die(token.error().ToString());
  return "Bearer " + *token;
}

}  // namespace komadai::bench
