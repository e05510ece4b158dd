#include "analyzer/model/name_pattern.h"

namespace lapscope::analyzer {

bool fits_pattern(std::string_view text, std::string_view pattern) {
  // Greedy: on a mismatch, the last * takes one character more. Linear but for pathological
  // patterns.
  std::size_t t = 0;
  std::size_t p = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace lapscope::analyzer
