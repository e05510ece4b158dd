#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace lapscope::analyzer {

// Sorts indices that are mostly in order already, such as rows of a trace. Merges neighbouring
// ascending runs. For n indices, it takes time n log(runs), and a buffer of n indices if there are
// several runs. `less` must be a strict weak ordering. The sort is stable.
template <class Less>
void run_sort(std::span<std::uint32_t> order, Less less) {
  std::vector<std::uint32_t> ends;  // of the runs
  const auto size = static_cast<std::uint32_t>(order.size());
  for (std::uint32_t i = 1; i < size; ++i) {
    if (less(order[i], order[i - 1])) ends.push_back(i);
  }
  if (ends.empty()) return;
  ends.push_back(size);
  std::vector<std::uint32_t> buffer(size);
  std::span<std::uint32_t> from = order;
  std::span<std::uint32_t> to = buffer;
  while (ends.size() > 1) {
    std::size_t kept = 0;
    std::uint32_t begin = 0;
    for (std::size_t run = 0; run < ends.size(); run += 2) {
      const std::uint32_t middle = ends[run];
      const std::uint32_t end = run + 1 < ends.size() ? ends[run + 1] : middle;
      std::merge(from.begin() + begin, from.begin() + middle, from.begin() + middle,
                 from.begin() + end, to.begin() + begin, less);
      ends[kept++] = end;
      begin = end;
    }
    ends.resize(kept);
    std::swap(from, to);
  }
  if (from.data() != order.data()) std::copy(from.begin(), from.end(), order.begin());
}

}  // namespace lapscope::analyzer
