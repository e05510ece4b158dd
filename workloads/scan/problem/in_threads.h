#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace lapscope::workloads::scan {

struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// How many threads are worth starting for `n` elements: one for each `worth_a_thread` of them, and
// no more than there are cores.
inline std::size_t threads_for(std::uint64_t n, std::uint64_t worth_a_thread) {
  const std::uint64_t cores = std::max(1U, std::thread::hardware_concurrency());
  return std::clamp<std::uint64_t>(n / worth_a_thread, 1, cores);
}

// The part `i` of `n` elements in `parts` parts; the last one takes the rest.
constexpr Range part_of(std::uint64_t n, std::size_t parts, std::size_t i) {
  return {n / parts * i, i + 1 == parts ? n : n / parts * (i + 1)};
}

// Runs work(0) to work(count - 1), each in a thread of its own.
template <typename Work>
void in_threads(std::size_t count, Work work) {
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < count; ++i) threads.emplace_back(work, i);
  work(std::size_t{0});
}

}  // namespace lapscope::workloads::scan
