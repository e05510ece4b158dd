#include "analyzer/model/name_pattern.h"

#include <algorithm>
#include <vector>

namespace lapscope::analyzer {

bool fits_pattern(std::string_view text, std::string_view pattern) {
  // On a mismatch, the last * takes one more character. This takes linear time for most patterns.
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

namespace {

char folded(char c) {
  if (c == '_' || c == ' ') return '-';
  return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Returns the optimal string alignment distance. Ignores case. Treats '_' and ' ' as '-'.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  const auto same = [&](std::size_t i, std::size_t j) { return folded(a[i]) == folded(b[j]); };
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min(
          {d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (same(i - 1, j - 1) ? 0 : 1)});
      if (i > 1 && j > 1 && same(i - 1, j - 2) && same(i - 2, j - 1)) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::optional<std::string_view> nearest_name(std::string_view meant,
                                             std::span<const std::string_view> names) {
  constexpr std::size_t longest = 64;  // a longer text is no mistyped name
  if (meant.empty() || meant.size() > longest || names.empty()) return std::nullopt;
  const auto nearest =
      std::min_element(names.begin(), names.end(), [meant](std::string_view a, std::string_view b) {
        return distance(meant, a) < distance(meant, b);
      });
  if (distance(meant, *nearest) <= std::max<std::size_t>(1, meant.size() / 3)) return *nearest;
  const auto holds = [meant](std::string_view name) {
    return name.find(meant) != std::string_view::npos;
  };
  const auto first = std::find_if(names.begin(), names.end(), holds);
  if (first == names.end() || std::any_of(std::next(first), names.end(), holds)) {
    return std::nullopt;
  }
  return *first;
}

std::string suggestion(std::string_view meant, std::span<const std::string_view> names) {
  if (const auto nearest = nearest_name(meant, names)) {
    return "; did you mean '" + std::string(*nearest) + "'?";
  }
  std::string list = "; there are";
  for (std::size_t i = 0; i < names.size(); ++i) {
    list += (i == 0 ? " " : i + 1 == names.size() ? " and " : ", ") + std::string(names[i]);
  }
  return list + ".";
}

}  // namespace lapscope::analyzer
