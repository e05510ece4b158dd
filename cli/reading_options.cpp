#include "cli/reading_options.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>

#include "analyzer/model/limits.h"
#include "cli/number_checks.h"
#include "readers/tables/unreadable_trace.h"

namespace lapscope::cli {
namespace {

namespace limits = analyzer::limits;

bool checks_large_files = false;
std::optional<std::int64_t> max_ops;

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

// Reads the limit in bytes from a file of a control group. Returns `unknown` if the file is
// missing, or has no number. The text "max" means that there is no limit.
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

void add_max_ops_option(CLI::App& command) {
  max_ops.reset();  // removes the value of an earlier command in this process
  command
      .add_option_function<double>(
          "--max-ops", [](double ops) { max_ops = static_cast<std::int64_t>(ops); },
          "Refuse files that need more memory than N ops, each with one call. Default: the number "
          "of ops that fit into the memory of this machine")
      ->check(from_to(1, 1e12))
      ->type_name("N");
}

void add_reading_options(CLI::App& command) {
  command.add_flag("--check", checks_large_files,
                   "Also check the database pages of traces larger than 100 MiB. This takes about "
                   "as long as reading the trace");
  add_max_ops_option(command);
}

bool is_checked(const std::string& file) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(file, error);
  return checks_large_files || bytes <= analyzer::limits::checked_bytes;
}

analyzer::RowLimit row_limit() {
  static const std::int64_t room = machine_memory() / limits::bytes_of_op;
  return {max_ops.value_or(room)};
}

std::size_t replay_limit() {
  const double share = static_cast<double>(limits::bytes_of_op) / limits::bytes_of_replayed_op;
  return static_cast<std::size_t>(static_cast<double>(row_limit().ops) * share);
}

void refuse_replay(const std::string& file, const analyzer::TooManyToReplay& error) {
  throw analyzer::UnreadableTrace(
      "'" + file + "' has too many ops to replay at once: " + std::to_string(error.ops) +
      " ops; --max-ops " + std::to_string(row_limit().ops) + " has memory for " +
      std::to_string(error.most) +
      ". Evaluate a smaller scope or a sample, or raise --max-ops if there is memory: about " +
      std::to_string(limits::bytes_of_replayed_op) + " bytes per op.");
}

std::int64_t machine_memory(const fs::path& root) {
  return std::min(total_memory(root), limit_of_groups(root));
}

}  // namespace lapscope::cli
