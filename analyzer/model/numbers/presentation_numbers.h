#pragma once

#include "analyzer/model/numbers/assumption.h"

// Numbers that decide whether something is worth showing.
namespace lapscope::analyzer::assumed {

inline constexpr Real least_saving(
    0.03, share, "least_saving",
    "A share of the time. A fix that saves less is no finding. Work or waits that take less get no "
    "advice. A smaller error of the model or of a correction does not count",
    "programs without a planted mistake replay to within 3 % (research/what-if-accuracy.md). "
    "Smaller differences are noise",
    "H200: tests/gpu/stream_suite.sh, 2026-11-21", "--min-saving");
inline constexpr Real noteworthy(
    0.01, share, "noteworthy",
    "lapscope shows a part only if it has at least this share of the whole. Examples are "
    "unexplained time, replay errors, the time that recording adds, and the time of a cause",
    "chosen: a third of least_saving. Smaller shares are within the scatter of runs");
inline constexpr Long operator_gap(
    200'000, ns, "operator_gap",
    "Longest host time between two calls in which a framework dispatches an operator. In advice, a "
    "longer time is the program's own work",
    "chosen: in recorded programs of PyTorch and CuPy, ops of small operators wait 5 to 110 us on "
    "average. These waits are at call sites of host-compute");
inline constexpr Real tolerance(
    0.05, share, "tolerance",
    "A measure may be worse than its baseline by this share of the baseline. A comparison of "
    "traces lists a launch if its duration changed by at least this share. Concurrent kernels slow "
    "each other down if they take longer by at least this share",
    "a convention. docs/ci.md shows how to find the tolerance of a program. GPU times repeat to "
    "within 0.5 %",
    h200, "--tolerance");
inline constexpr Real ratio_tolerance(
    0.02, share, "ratio_tolerance",
    "A ratio may be worse than its baseline by this difference, even if tolerance allows less. A "
    "gate file that is written from runs leaves ratios at least this room",
    "a convention, as for tolerance. The next run would miss a relative tolerance of a ratio near "
    "0",
    "", "--tolerance");
inline constexpr Real deviations_shown(1.645, times, "deviations_shown",
                                       "lapscope shows an interval around each share of host time: "
                                       "this many standard deviations to each side",
                                       "a convention: nine of ten values lie within the interval");

inline constexpr const Assumption* presentation[] = {
    &least_saving, &noteworthy, &operator_gap, &tolerance, &ratio_tolerance, &deviations_shown};

}  // namespace lapscope::analyzer::assumed
