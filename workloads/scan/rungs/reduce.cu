#include "workloads/scan/problem/problems.h"
#include "workloads/scan/rungs/ladder.h"
#include "workloads/scan/rungs/tree_method.cuh"

namespace lapscope::workloads::scan {

const Rung reduce{
    .name = "reduce-then-scan",
    .change = "reads every tile for its total first and writes only once, in the second pass",
    .passes = [](std::uint64_t) { return 3.0; },
    .depth =
        [](std::uint64_t n) {
          return TreeMethod::depth * levels_of(n, TreeMethod::size<U32<Sum>>);
        },
    .supports = contains<AllProblems>,
    .scan =
        [](const ScanCall& call) {
          if (call.n == 0) return;
          with_problem(AllProblems{}, call.combination, [&]<typename P>(P) {
            reduce_then_scan<TreeMethod>(arrays_of<P>(call),
                                         totals_for<P>(call, TreeMethod::size<P>), call.stream);
          });
        },
    .tile = TreeMethod::size<U32<Sum>>};

}  // namespace lapscope::workloads::scan
