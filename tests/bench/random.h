#pragma once

#include <cstdint>

namespace lapscope::bench {

// The SplitMix64 generator. Unlike distributions of <random>, it gives the same numbers with every
// standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  // Returns a number from `least` to `bound` - 1. `bound` - `least` must be between 1 and 2^32.
  std::int64_t between(std::int64_t least, std::int64_t bound) {
    const auto width = static_cast<std::uint64_t>(bound - least);
    return least + static_cast<std::int64_t>((next() >> 32) * width >> 32);
  }
  bool one_in(std::int64_t times) { return between(0, times) == 0; }

 private:
  std::uint64_t next() {
    std::uint64_t mixed = state_ += 0x9E3779B97F4A7C15U;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBU;
    return mixed ^ mixed >> 31;
  }

  std::uint64_t state_;
};

}  // namespace lapscope::bench
