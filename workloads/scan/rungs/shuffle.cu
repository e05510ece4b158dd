#include "workloads/scan/problem/problems.h"
#include "workloads/scan/rungs/ladder.h"
#include "workloads/scan/rungs/shuffle_method.cuh"

namespace lapscope::workloads::scan {

const Rung shuffle{.name = "reduce-then-scan-shuffle",
                   .change =
                       "the same with registers, warp shuffles and 128-bit loads instead of a tree "
                       "in shared memory",
                   .passes = [](std::uint64_t) { return 3.0; },
                   .depth =
                       [](std::uint64_t n) {
                         return ShuffleMethod::depth * levels_of(n, ShuffleMethod::size<U32<Sum>>);
                       },
                   .supports = contains<AllProblems>,
                   .scan =
                       [](const ScanCall& call) {
                         if (call.n == 0) return;
                         with_problem(AllProblems{}, call.combination, [&]<typename P>(P) {
                           reduce_then_scan<ShuffleMethod>(
                               arrays_of<P>(call), totals_for<P>(call, ShuffleMethod::size<P>),
                               call.stream);
                         });
                       },
                   .tile = ShuffleMethod::size<U32<Sum>>};

}  // namespace lapscope::workloads::scan
