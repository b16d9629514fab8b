#include "cli/rating.h"

#include <cstdio>

#include "services/all_in_one/all_in_one.h"

namespace komadai::cli {
namespace {

constexpr char kUsage[] =
    "usage: komadai rating recompute [--data DIR | --sqlite-path FILE | --postgres-url URL] "
    "[--repair]\n";

}  // namespace

int RunRating(const std::vector<std::string>& arguments) {
  if (!arguments.empty() && arguments.front() == "recompute") {
    return all_in_one::RecomputeRatings({arguments.begin() + 1, arguments.end()});
  }
  const bool asks = !arguments.empty() && (arguments.front() == "--help" || arguments[0] == "-h");
  std::fputs(kUsage, asks ? stdout : stderr);
  return asks ? 0 : 2;
}

}  // namespace komadai::cli
