#include "collector/inject/process_facts.h"

#include <dlfcn.h>
#include <link.h>
#include <sched.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include "collector/environment.h"
#include "collector/process/clock.h"

namespace lapscope::inject {
namespace {

namespace fs = std::filesystem;
using process::read_clock;

int find_libcuda(dl_phdr_info* info, std::size_t, void* found) {
  const fs::path path(info->dlpi_name ? info->dlpi_name : "");
  if (!path.filename().string().starts_with("libcuda.so")) return 0;
  *static_cast<fs::path*>(found) = path;
  return 1;
}

}  // namespace

int processors() {
  cpu_set_t usable;
  return ::sched_getaffinity(0, sizeof usable, &usable) == 0 ? CPU_COUNT(&usable) : 0;
}

std::string shell_quoted(std::string_view argument) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./-_";
  if (!argument.empty() && argument.find_first_not_of(plain) == std::string_view::npos) {
    return std::string(argument);
  }
  std::string quoted = "'";
  for (const char c : argument) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string raw{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::string> arguments;
  for (std::size_t begin = 0; begin < raw.size();) {
    const auto end = std::min(raw.find('\0', begin), raw.size());
    arguments.push_back(raw.substr(begin, end - begin));
    begin = end + 1;
  }
  return quoted_line(arguments);
}

std::string quoted_line(const std::vector<std::string>& arguments) {
  std::string line;
  for (const std::string& argument : arguments) {
    if (!line.empty()) line += ' ';
    line += shell_quoted(argument);
  }
  return line;
}

std::string executable() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).string();
}

std::optional<std::string> driver_version() {
  fs::path path;
  ::dl_iterate_phdr(find_libcuda, &path);
  if (path.empty()) return std::nullopt;
  std::error_code ignored;
  const std::string name = fs::canonical(path, ignored).filename().string();
  constexpr std::string_view prefix = "libcuda.so.";
  if (!name.starts_with(prefix) || name.size() <= prefix.size() + 1) return std::nullopt;
  return name.substr(prefix.size());
}

std::vector<schema::EnvironmentRow> stored_environment() {
  std::vector<schema::EnvironmentRow> rows;
  for (const char* name : environment::stored) {
    if (const char* value = std::getenv(name)) rows.push_back({name, value});
  }
  return rows;
}

schema::ClockRow read_clocks(std::string_view label) {
  constexpr std::int64_t close_ns = 10'000;
  constexpr int attempts = 100;
  schema::ClockRow best;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (int attempt = 0; attempt < attempts && least > close_ns; ++attempt) {
    const std::int64_t before = read_clock(CLOCK_MONOTONIC);
    const schema::ClockRow row{std::string(label), read_clock(CLOCK_REALTIME), before,
                               read_clock(CLOCK_MONOTONIC_RAW), read_clock(CLOCK_BOOTTIME)};
    const std::int64_t took = read_clock(CLOCK_MONOTONIC) - before;
    if (took < least) {
      least = took;
      best = row;
    }
  }
  return best;
}

std::filesystem::path own_folder() {
  Dl_info info{};
  if (!::dladdr(reinterpret_cast<const void*>(&own_folder), &info) || !info.dli_fname) return {};
  return std::filesystem::path(info.dli_fname).parent_path();
}

}  // namespace lapscope::inject
