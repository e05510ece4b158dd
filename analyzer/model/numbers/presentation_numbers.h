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
inline constexpr Long shortest_gap(
    1'000, ns, "shortest_gap",
    "lapscope adds up shorter gaps of a device, but does not explain them",
    "chosen: the time between two kernels of a stream", "", "--min-gap");
inline constexpr Long operator_gap(
    200'000, ns, "operator_gap",
    "Longest host time between two calls in which a framework dispatches an operator. In advice, a "
    "longer time is the program's own work",
    "chosen: in recorded programs of PyTorch and CuPy, ops of small operators wait 5 to 110 us on "
    "average. These waits are at call sites of host-compute");
inline constexpr Count operators_in_a_loop(16, count, "operators_in_a_loop",
                                           "this many elementwise kernels of several shapes, "
                                           "launched in a row by one line, are a loop over tensors",
                                           "chosen: a formula on one line has fewer operators");
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

inline constexpr Real doubtful_model(
    0.1, share, "doubtful_model",
    "if the model check is off by a larger share of the time, predictions get a warning",
    "chosen: equal to most_unaccounted. Recorded programs of research/what-if-accuracy.md are off "
    "by less");
inline constexpr Real useless_model(
    0.5, share, "useless_model",
    "if the model check is off by a larger share of the time, no saving is shown as text",
    "chosen: a predicted time would be half or twice the true time");

inline constexpr Count looks_for_sure(
    10, count, "looks_for_sure",
    "A place is the time of a thread between two calls. Samples are due there at the sampling "
    "interval. If at least this many are due, only samples of this place split its time among "
    "functions",
    "chosen: if 10 samples are due, by chance none is taken in 1 of 20,000 cases");
inline constexpr Count looks_due(3, count, "looks_due",
                                 "number of due samples at which one taken sample is enough to "
                                 "split the time as for looks_for_sure",
                                 "chosen: if 3 samples are due, by chance none is taken at 1 of 20 "
                                 "places. Samples of other places split the time of this place");
inline constexpr Real deviations_shown(1.645, times, "deviations_shown",
                                       "lapscope shows an interval around each share of host time: "
                                       "this many standard deviations to each side",
                                       "a convention: nine of ten values lie within the interval");

inline constexpr const Assumption* presentation[] = {
    &least_saving,        &noteworthy,     &shortest_gap,    &operator_gap,
    &operators_in_a_loop, &tolerance,      &ratio_tolerance, &doubtful_model,
    &useless_model,       &looks_for_sure, &looks_due,       &deviations_shown};

}  // namespace lapscope::analyzer::assumed
