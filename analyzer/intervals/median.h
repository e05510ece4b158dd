#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

namespace lapscope::analyzer {

// Returns the median. Of two middle values, returns the lower one. Reorders `values`, which must
// not be empty. Takes linear time.
template <class T>
T median_of(std::vector<T>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

template <class Key, class T>
std::map<Key, T> medians_of(std::map<Key, std::vector<T>> values) {
  std::map<Key, T> medians;
  for (auto& [key, all] : values) medians.emplace(key, median_of(all));
  return medians;
}

}  // namespace lapscope::analyzer
