#include "cli/machine_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

namespace lapscope::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::max();

// Returns the memory of the machine in bytes, from a line such as "MemTotal: 24689132 kB". Returns
// `unknown` if there is no such line.
std::int64_t total_memory(const fs::path& root) {
  std::ifstream file(root / "proc/meminfo");
  std::string key;
  std::int64_t kib = 0;
  std::string unit;
  while (file >> key >> kib >> unit) {
    if (key == "MemTotal:") return kib * 1024;
  }
  return unknown;
}

// Reads a limit in bytes from a file of a control group. Returns `unknown` if the file has no
// number: "max" means that there is no limit.
std::int64_t limit_in(const fs::path& file) {
  std::ifstream in(file);
  std::int64_t bytes = 0;
  return in >> bytes && bytes > 0 ? bytes : unknown;
}

// Returns the lowest memory limit of a control group and its ancestors. Inside a container, the
// path of the group often does not exist. In this case, the root of the hierarchy has the limit of
// the container.
std::int64_t limit_of_group(const fs::path& hierarchy, const fs::path& group, const char* file) {
  std::int64_t least = limit_in(hierarchy / file);
  fs::path folder = hierarchy;
  for (const fs::path& part : group.relative_path()) {
    folder /= part;
    least = std::min(least, limit_in(folder / file));
  }
  return least;
}

// Returns the lowest memory limit of the process's control groups. Parses lines such as
// "4:memory:/user.slice" (cgroup v1) and "0::/user.slice" (v2).
std::int64_t limit_of_groups(const fs::path& root) {
  std::ifstream file(root / "proc/self/cgroup");
  std::int64_t least = unknown;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string number;
    std::string controllers;
    std::string group;
    if (!std::getline(fields, number, ':') || !std::getline(fields, controllers, ':') ||
        !std::getline(fields, group)) {
      continue;
    }
    const fs::path mounted = root / "sys/fs/cgroup";
    if (controllers.empty()) {
      least = std::min(least, limit_of_group(mounted, group, "memory.max"));
    } else if (("," + controllers + ",").find(",memory,") != std::string::npos) {
      least = std::min(least, limit_of_group(mounted / "memory", group, "memory.limit_in_bytes"));
    }
  }
  return least;
}

}  // namespace

std::int64_t machine_memory(const fs::path& root) {
  return std::min(total_memory(root), limit_of_groups(root));
}

}  // namespace lapscope::cli
