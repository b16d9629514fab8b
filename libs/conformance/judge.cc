#include "libs/conformance/judge.h"

namespace komadai::conformance {

Error AtPly(const Error& error, std::size_t ply, const std::string& move) {
  return Error::FromWire(error.code(), error.reason(),
                         "ply " + std::to_string(ply) + " " + move + ": " + error.message(),
                         error.metadata());
}

}  // namespace komadai::conformance
