#include "analyzer/iterations/period.h"

#include <algorithm>
#include <functional>

namespace lapscope::analyzer {

std::optional<Repetition> find_repetition(std::span<const std::uint32_t> sequence,
                                          std::size_t least_count) {
  const std::size_t middle = sequence.size() / 2;
  for (std::size_t length = 4; length <= sequence.size() / 4; length *= 2) {
    const auto probe = sequence.subspan(middle, length);
    const auto again =
        std::search(sequence.begin() + static_cast<std::ptrdiff_t>(middle) + 1, sequence.end(),
                    std::boyer_moore_searcher(probe.begin(), probe.end()));
    if (again == sequence.end()) return std::nullopt;  // a longer probe is found even less
    const auto period = static_cast<std::size_t>(again - sequence.begin()) - middle;
    if (period < 2) continue;
    Repetition found{middle, middle, period};
    while (found.first > 0 && sequence[found.first - 1] == sequence[found.first - 1 + period]) {
      --found.first;
    }
    while (found.last + period < sequence.size() &&
           sequence[found.last] == sequence[found.last + period]) {
      ++found.last;
    }
    found.last += period;
    if (found.count() >= least_count && found.last - found.first >= sequence.size() / 2) {
      return found;
    }
  }
  return std::nullopt;
}

}  // namespace lapscope::analyzer
