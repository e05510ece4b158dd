#include <sys/statvfs.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <map>

#include "collector/doctor/checks.h"
#include "collector/process/thread_clock.h"

namespace lapscope::doctor {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// Returns the value of the line "name: value" in a file; empty if there is no such line.
std::string value_of(const fs::path& path, const std::string& name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(name + ":")) continue;
    const std::size_t begin = line.find_first_not_of(" \t", name.size() + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return "";
}

// Returns the version in a line such as
// "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release Build …"
std::string version_in(const std::string& line) {
  std::size_t begin = 0;
  while (begin < line.size()) {
    std::size_t end = line.find(' ', begin);
    if (end == std::string::npos) end = line.size();
    const std::string word = line.substr(begin, end - begin);
    const bool is_version = word.find('.') != std::string::npos &&
                            word.find_first_not_of("0123456789.") == std::string::npos;
    if (is_version) return word;
    begin = end + 1;
  }
  return "of an unknown version";
}

}  // namespace

Findings check_driver(const fs::path& root) {
  const std::string line = first_line(root / "proc/driver/nvidia/version");
  if (!line.empty()) return {{Level::good, "driver", version_in(line), ""}};
  std::error_code ignored;
  if (fs::exists(root / "dev/dxg", ignored)) {
    return {{Level::note, "driver", "that of Windows, seen through WSL",
             "CUPTI supports WSL only in part: expect kinds of records to be refused."}};
  }
  return {{Level::bad, "driver", "no NVIDIA driver is loaded",
           "Traces can be analysed here. To record, use a machine with a GPU, or give the "
           "container access to it."}};
}

Findings check_gpus(const fs::path& root) {
  std::map<std::string, int> models;
  std::error_code ignored;
  for (const auto& gpu : fs::directory_iterator(root / "proc/driver/nvidia/gpus", ignored)) {
    const std::string model = value_of(gpu.path() / "information", "Model");
    ++models[model.empty() ? "unknown model" : model];
  }
  if (models.empty()) {
    return {{Level::bad, "GPU", "none is known to the driver",
             "Check that the machine, or the container, has one."}};
  }
  std::string state;
  for (const auto& [model, count] : models) {
    if (!state.empty()) state += ", ";
    state += std::to_string(count) + " x " + model;
  }
  return {{Level::good, "GPU", state, ""}};
}

Findings check_permissions(const fs::path& root) {
  const fs::path control = root / "dev/nvidiactl";
  std::error_code ignored;
  if (!fs::exists(control, ignored)) return {};  // check_driver() reports that
  if (::access(control.c_str(), R_OK | W_OK) != 0) {
    return {{Level::bad, "permissions", "this user may not open /dev/nvidiactl",
             "Have the administrator add the user to the group that owns it."}};
  }
  // According to NVIDIA's documentation, this setting restricts hardware counters. lapscope does
  // not record hardware counters.
  if (value_of(root / "proc/driver/nvidia/params", "RmProfilingAdminOnly") == "1" &&
      ::geteuid() != 0) {
    return {{Level::note, "permissions", "profiling is restricted to administrators",
             "Recording needs no counters. Should CUPTI refuse all the same "
             "(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES), have the driver loaded with "
             "NVreg_RestrictProfilingToAdminUsers=0."}};
  }
  return {{Level::good, "permissions", "this user may trace", ""}};
}

Findings check_native_frames(int refusal) {
  if (refusal == 0) return {{Level::good, "host stacks", "Python and native frames", ""}};
  return {{Level::note, "host stacks", process::describe_refusal(refusal),
           "States of threads and Python's frames are recorded all the same. Native ones need "
           "kernel.perf_event_paranoid of 2 or less, and a container that allows the call."}};
}

namespace {

constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;

std::string in_gib(std::uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GiB",
                static_cast<double>(bytes) / static_cast<double>(gibibyte));
  return text;
}

}  // namespace

Findings check_space(const std::string& folder, std::optional<std::uint64_t> free_bytes,
                     bool writable) {
  if (!free_bytes) {
    return {{Level::bad, "space", "'" + folder + "' is not there", "Name a folder that exists."}};
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
  if (::statvfs(folder.c_str(), &space) != 0) return check_space(folder, std::nullopt, false);
  return check_space(folder, std::uint64_t{space.f_bavail} * space.f_frsize,
                     ::access(folder.c_str(), W_OK | X_OK) == 0);
}

}  // namespace lapscope::doctor
