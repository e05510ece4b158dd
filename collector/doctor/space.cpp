#include <sys/statvfs.h>
#include <unistd.h>

#include <cstdio>

#include "collector/doctor/checks.h"

namespace lapscope::doctor {
namespace {

constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;

std::string in_gib(std::uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GiB",
                static_cast<double>(bytes) / static_cast<double>(gibibyte));
  return text;
}

}  // namespace

Findings judge_space(const std::string& folder, std::optional<std::uint64_t> free_bytes,
                     bool writable) {
  if (!free_bytes) {
    return {{Level::bad, "space", "'" + folder + "' is not there", "Name a folder that is."}};
  }
  if (!writable) {
    return {{Level::bad, "space", "this user may not write to '" + folder + "'",
             "Record to a file elsewhere (record -o)."}};
  }
  const std::string state = in_gib(*free_bytes) + " free in '" + folder + "'";
  if (*free_bytes < gibibyte) {
    return {{Level::note, "space", state,
             "Busy programs write tens of MB a second: record to a file elsewhere (record -o), or "
             "end in time with --max-size."}};
  }
  return {{Level::good, "space", state, ""}};
}

Findings check_space(const std::filesystem::path& folder) {
  struct statvfs space {};
  if (::statvfs(folder.c_str(), &space) != 0) return judge_space(folder, std::nullopt, false);
  return judge_space(folder, std::uint64_t{space.f_bavail} * space.f_frsize,
                     ::access(folder.c_str(), W_OK | X_OK) == 0);
}

}  // namespace lapscope::doctor
