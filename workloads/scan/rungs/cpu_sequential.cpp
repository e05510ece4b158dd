#include "workloads/scan/problem/problems.h"
#include "workloads/scan/rungs/cpu_scan.h"
#include "workloads/scan/rungs/ladder.h"

namespace lapscope::workloads::scan {

const Rung cpu_sequential{.name = "cpu-sequential",
                          .change = "one loop on one core",
                          .passes = [](std::uint64_t) { return 2.0; },
                          .depth = [](std::uint64_t n) { return n; },
                          .supports = contains<AllProblems>,
                          .scan =
                              [](const ScanCall& call) {
                                with_problem(AllProblems{}, call.combination, [&]<typename P>(P) {
                                  scan_range<P>(call, {0, call.n}, P::Op::identity());
                                });
                              },
                          .on_cpu = true};

}  // namespace lapscope::workloads::scan
