#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace lapscope::analyzer {

// A stretch [first, last) of a sequence in which everything comes again `period` places later.
struct Repetition {
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t period = 0;

  std::size_t count() const { return (last - first) / period; }  // whole repetitions
};

// The repetition of a period of at least 2 around the middle of the sequence, if there is one that
// fills half of the sequence at least `least_count` times. Found by looking where the entries
// around the middle come again, for more and more of them: a short stretch may come again by
// chance, or because it lies in a smaller loop. Linear in the sequence.
std::optional<Repetition> find_repetition(std::span<const std::uint32_t> sequence,
                                          std::size_t least_count);

}  // namespace lapscope::analyzer
