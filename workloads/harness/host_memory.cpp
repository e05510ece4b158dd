#include "workloads/harness/host_memory.h"

#include <fstream>
#include <limits>
#include <string>

namespace lapscope::workloads {

std::uint64_t free_host_memory() {
  std::ifstream file("/proc/meminfo");
  std::string key;
  std::string unit;
  std::uint64_t kibibytes = 0;
  while (file >> key >> kibibytes) {
    if (key == "MemAvailable:") return kibibytes * 1024;
    std::getline(file, unit);
  }
  return std::numeric_limits<std::uint64_t>::max();
}

}  // namespace lapscope::workloads
