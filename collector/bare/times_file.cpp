#include "collector/bare/range_times.h"

#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>

namespace lapscope::bare {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view last_line = "end";

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\' || c == '\n' || c == '\0') {
      result += '\\';
      result += c == '\n' ? 'n' : c == '\0' ? '0' : '\\';
    } else {
      result += c;
    }
  }
  return result;
}

std::string unescaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    const char c = text[++i];
    result += c == 'n' ? '\n' : c == '0' ? '\0' : c;
  }
  return result;
}

std::optional<std::int64_t> take_number(std::string_view& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end == text.data() + text.size() || *end != ' ') return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  return number;
}

std::optional<ProcessTimes> read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  ProcessTimes times;
  if (!std::getline(file, line)) return std::nullopt;
  std::string_view first(line);
  const auto without = take_number(first);
  if (!without) return std::nullopt;
  times.without_times = *without;
  times.rank = first;
  while (std::getline(file, line)) {
    if (line == last_line) return times;
    std::string_view text(line);
    const auto count = take_number(text);
    const auto ns = count ? take_number(text) : std::nullopt;
    if (!ns) return std::nullopt;
    times.ranges.push_back({unescaped(text), *count, *ns});
  }
  return std::nullopt;
}

}  // namespace

// Writes the file of this process. The first line has the number of ranges without times, and the
// rank. Then each name has a line: the count of its ranges, their total ns, and the name. The last
// line is `end`.
void write_times(const fs::path& folder, const ProcessTimes& times) {
  const fs::path path = folder / (std::to_string(::getpid()) + ".times");
  std::ofstream file(path, std::ios::binary);
  file << times.without_times << ' ' << times.rank << '\n';
  for (const RangeTime& range : times.ranges) {
    file << range.count << ' ' << range.ns << ' ' << escaped(range.name) << '\n';
  }
  file << last_line << '\n';
  file.close();
  if (!file) throw std::system_error(errno, std::generic_category(), path.string());
}

std::vector<ProcessTimes> read_times(const fs::path& folder) {
  std::vector<ProcessTimes> processes;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() != ".times") continue;
    if (auto times = read_file(entry.path())) processes.push_back(std::move(*times));
  }
  return processes;
}

}  // namespace lapscope::bare
