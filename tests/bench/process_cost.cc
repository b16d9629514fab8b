#include "tests/bench/process_cost.h"

#include <unistd.h>

#include <fstream>
#include <sstream>

namespace komadai::bench {
namespace {

// The fields of /proc/PID/stat behind the name, which may hold blanks: state is the first.
std::istringstream StatFields(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');
  return std::istringstream(name_end == std::string::npos ? "" : line.substr(name_end + 1));
}

}  // namespace

double CpuSeconds(pid_t pid) {
  std::istringstream fields = StatFields(pid);
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  double user_ticks = 0;
  double system_ticks = 0;
  if (!(fields >> user_ticks >> system_ticks)) return 0;
  return (user_ticks + system_ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

double ResidentBytes(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/statm");
  double total_pages = 0;
  double resident_pages = 0;
  if (!(file >> total_pages >> resident_pages)) return 0;
  return resident_pages * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

std::map<std::string, double> CpuSecondsOf(const Processes& processes) {
  std::map<std::string, double> seconds;
  for (const auto& [name, pid] : processes) seconds[name] = CpuSeconds(pid);
  return seconds;
}

double Sum(const std::map<std::string, double>& values) {
  double sum = 0;
  for (const auto& [name, value] : values) sum += value;
  return sum;
}

}  // namespace komadai::bench
