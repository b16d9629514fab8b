// ProcessCost: what processes have used of the machine so far, from /proc.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>

namespace komadai::bench {

// Processes by a name for people.
using Processes = std::map<std::string, pid_t>;

// Processor time (user and system) of a process in seconds, 0 if it is gone.
double CpuSeconds(pid_t pid);
// Resident memory in bytes, 0 if it is gone.
double ResidentBytes(pid_t pid);

std::map<std::string, double> CpuSecondsOf(const Processes& processes);
double Sum(const std::map<std::string, double>& values);

}  // namespace komadai::bench
