#pragma once

#include "analyzer/model/numbers/assumption.h"

// Numbers that decide whether something is worth showing.
namespace lapscope::analyzer::assumed {

inline constexpr Real least_saving(
    0.03, share, "least_saving",
    "of the time: a fix that saves less is no finding, what takes less no advice, and a model "
    "that is off by less is not",
    "research/what-if-accuracy.md: programs without a planted mistake replay to within 3 %, less "
    "is noise",
    "H200: tests/gpu/stream_suite.sh, 2026-11-21", "--min-saving");
inline constexpr Real noteworthy(
    0.01, share, "noteworthy",
    "of what it is a part of: what is unexplained, what a replay is off by, what recording "
    "costs, and what a cause or a rest takes is shown from this on",
    "chosen: a third of the least_saving; less is within the scatter of runs");
inline constexpr Long shortest_gap(
    1'000, ns, "shortest_gap", "gaps of a device that are shorter are summed up and not explained",
    "chosen: the time between two kernels of a stream", "", "--min-gap");
inline constexpr Long operator_gap(
    200'000, ns, "operator_gap",
    "the host's time between two calls that a framework takes to dispatch an operator, at most: "
    "advice about longer ones is about the program's own work",
    "chosen: at the call sites of host-compute in recorded programs of PyTorch and CuPy that "
    "dispatch small operators an op waits 5 to 110 us, on average");
inline constexpr Count operators_in_a_loop(
    16, count, "operators_in_a_loop",
    "so many elementwise kernels that one line launches in a row, of several shapes, are a loop "
    "over tensors",
    "chosen: a formula that is written on a line has fewer operators");
inline constexpr Real tolerance(
    0.05, share, "tolerance",
    "a measure may be worse than its baseline by this part of it; a launch that takes so much "
    "longer or shorter is distinguished from the others of its kernel",
    "a convention: docs/ci.md shows how to find one's own; GPU times repeat to within 0.5 %", h200,
    "--tolerance");
inline constexpr Real ratio_tolerance(
    0.02, share, "ratio_tolerance",
    "or, of a ratio, by this; and a gate that is written from runs leaves ratios so much",
    "a convention, as above; near 0 a relative one would be missed by the next run", "",
    "--tolerance");

inline constexpr Real doubtful_model(
    0.1, share, "doubtful_model",
    "of the time: where the model check is off by more, a warning stands beside what is predicted",
    "chosen: as most_unaccounted; the recorded programs of research/what-if-accuracy.md are off by "
    "less");
inline constexpr Real useless_model(
    0.5, share, "useless_model",
    "of the time: where the model check is off by more, no saving is shown as text",
    "chosen: what is predicted would be half as long or twice as long as it is");

inline constexpr Count looks_for_sure(
    10, count, "looks_for_sure",
    "a place between two calls of a thread, of whose time so many looks are due, is divided by "
    "what "
    "was seen there alone",
    "chosen: if one is taken by chance, none is missed but once in 20,000 times");
inline constexpr Count looks_due(3, count, "looks_due", "likewise with so many, if there was one",
                                 "chosen: by chance there is none at one such place in 20, which "
                                 "then has what is seen at others");
inline constexpr Real deviations_shown(
    1.645, times, "deviations_shown",
    "shares of host time are shown with so many standard deviations around them",
    "a convention: nine of ten lie within");

inline constexpr const Assumption* presentation[] = {
    &least_saving,        &noteworthy,     &shortest_gap,    &operator_gap,
    &operators_in_a_loop, &tolerance,      &ratio_tolerance, &doubtful_model,
    &useless_model,       &looks_for_sure, &looks_due,       &deviations_shown};

}  // namespace lapscope::analyzer::assumed
