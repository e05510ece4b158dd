#include "collector/trace/output_name.h"

#include <unistd.h>

#include <string_view>

namespace lapscope::trace {
namespace {

namespace fs = std::filesystem;

// For each placeholder %c of the pattern, calls placeholder(c). For each other character c, calls
// text(c).
template <class Text, class Placeholder>
void walk(std::string_view pattern, Text text, Placeholder placeholder) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '%' && i + 1 < pattern.size()) {
      placeholder(pattern[++i]);
    } else {
      text(pattern[i]);
    }
  }
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    result += c;
    if (c == '%') result += c;
  }
  return result;
}

}  // namespace

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

fs::path fill_in(const fs::path& pattern, const NameParts& known) {
  std::string name;
  walk(
      pattern.filename().string(), [&](char c) { name += c; },
      [&](char letter) {
        if (letter == 'p' && known.pid) {
          name += std::to_string(*known.pid);
        } else if (letter == 'r' && known.rank) {
          name += escaped(*known.rank);
        } else if (letter == 'h' && known.host) {
          name += escaped(*known.host);
        } else if (letter == 'n' && known.capture) {
          name += std::to_string(*known.capture);
        } else {
          name += {'%', letter};
        }
      });
  return pattern.parent_path() / name;
}

bool is_open(const fs::path& pattern) {
  bool open = false;
  walk(
      pattern.filename().string(), [](char) {},
      [&](char letter) { open = open || letter == 'p' || letter == 'r' || letter == 'n'; });
  return open;
}

fs::path plain(const fs::path& pattern) {
  std::string name;
  walk(
      pattern.filename().string(), [&](char c) { name += c; },
      [&](char letter) {
        if (letter != '%') name += '%';
        name += letter;
      });
  return pattern.parent_path() / name;
}

fs::path pattern_of(const fs::path& path) {
  return path.parent_path() / escaped(path.filename().string());
}

fs::path led_to(fs::path path) {
  std::error_code error;
  constexpr int most_links = 40;  // the kernel's limit
  for (int links = 0; links < most_links && fs::is_symlink(path, error); ++links) {
    const fs::path next = fs::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / next;
  }
  return path;
}

}  // namespace lapscope::trace
