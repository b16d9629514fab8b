// `komadai health`: asks a server's standard health service, for container health checks.
#pragma once

#include <string>

namespace komadai::cli {

struct HealthOptions {
  std::string target;
  std::string service;  // "" is readiness, "live" liveness; else a service's full name
};

// Prints SERVING, NOT_SERVING, UNKNOWN or what went wrong; 0 only for SERVING.
int RunHealth(const HealthOptions& options);

}  // namespace komadai::cli
