#include "libs/telemetry/process_metrics.h"

#include <dirent.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>

namespace komadai::telemetry {
namespace {

// A number from /proc/self/status, in the unit it has there; 0 where there is no /proc.
double StatusValue(const std::string& key) {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.compare(0, key.size(), key) == 0)
      return std::strtod(line.c_str() + key.size(), nullptr);
  }
  return 0;
}

double OpenFiles() {
  DIR* directory = opendir("/proc/self/fd");
  if (directory == nullptr) return 0;
  int count = -3;  // not ".", "..", and the directory itself
  while (readdir(directory) != nullptr) ++count;
  closedir(directory);
  return count;
}

double CpuSeconds() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

}  // namespace

std::vector<std::shared_ptr<void>> AddProcessMetrics(Metrics& metrics) {
  return {
      metrics.GaugeCallback("komadai_process_resident_bytes", "Memory in use.",
                            [] { return StatusValue("VmRSS:") * 1024; }),
      metrics.GaugeCallback("komadai_process_threads", "Threads of the process.",
                            [] { return StatusValue("Threads:"); }),
      metrics.GaugeCallback("komadai_process_open_files", "Open file descriptors.", OpenFiles),
      metrics.GaugeCallback("komadai_process_cpu_seconds", "CPU time used since the start.",
                            CpuSeconds),
  };
}

}  // namespace komadai::telemetry
