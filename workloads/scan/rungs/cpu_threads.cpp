#include <vector>

#include "workloads/scan/problem/problems.h"
#include "workloads/scan/rungs/cpu_scan.h"
#include "workloads/scan/rungs/ladder.h"

namespace lapscope::workloads::scan {
namespace {

// Below this many elements per thread, starting the thread costs more than it saves.
constexpr std::uint64_t worth_a_thread = 1 << 15;

template <typename P>
void scan_in_threads(const ScanCall& call) {
  const std::size_t parts = threads_for(call.n, worth_a_thread);
  const auto range = [&](std::size_t part) { return part_of(call.n, parts, part); };
  std::vector<typename P::Acc> left(parts + 1, P::Op::identity());
  // The total of the last part is not needed.
  if (parts > 1)
    in_threads(parts - 1, [&](std::size_t i) { left[i + 1] = reduce_range<P>(call, range(i)); });
  for (std::size_t i = 1; i < parts; ++i) left[i] = typename P::Op{}(left[i - 1], left[i]);
  in_threads(parts, [&](std::size_t i) { scan_range<P>(call, range(i), left[i]); });
}

}  // namespace

const Rung cpu_threads{
    .name = "cpu-threads",
    .change = "every core reduces its part, then scans it: reduce-then-scan with a core per tile",
    .passes = [](std::uint64_t) { return 3.0; },
    .depth = [](std::uint64_t n) { return n; },
    .supports = contains<AllProblems>,
    .scan =
        [](const ScanCall& call) {
          with_problem(AllProblems{}, call.combination,
                       [&]<typename P>(P) { scan_in_threads<P>(call); });
        },
    .tile = worth_a_thread,
    .on_cpu = true};

}  // namespace lapscope::workloads::scan
