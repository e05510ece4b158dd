#include "tests/analyzer/findings/accuracy_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "tests/analyzer/findings/accuracy_evidence.h"
#include "tests/analyzer/findings/accuracy_tables.h"

namespace lapscope::test {

bool is_explained(const WholeTrace& trace) {
  return trace.unexplained_share <= 0.02 && std::abs(trace.replay_error) <= 0.03;
}

void write_accuracy_page(const Accuracy& accuracy, std::ostream& out) {
  out << R"(# How good the predictions are

    tests/approve.sh BUILD_DIR

writes this page from the recorded traces in `tests/traces` and their catalogue (H200, driver and date in each trace; those of
an [H100](#on-an-h100) in `tests/traces/h100`), and a test holds the page to what the analysis says today. Each trace is evaluated in the NVTX range of its case, on the GPU that
took longest. [causes.md](causes.md) explains the model and what it leaves out.

## Predicted and measured

For each case that was recorded broken: the wall time that `lapscope whatif --fix CODE` predicts from that recording alone,
and what the program that was fixed takes without a recorder: the median of 9 runs, three each in three processes that took
turns with those of the other variants, and the least and the most of them (`lazy-loading`, which a process shows once: nine processes).
On the H200, programs that need two GPUs have 3 or 7 runs, in one process. Where that has several fixes, all of
them are made, one after the other (`--fix CODE --fix CODE`); where a program between the two was recorded, the way to it
and from it has a row, too. Times in ms. The bare time of the program stands beside the recorded one, because a prediction
made from a recording also carries what recording cost. The error is predicted / measured − 1. Where the
trace does not show what kernels beside each other share, there are two predictions
([causes.md](causes.md#kernels-beside-each-other)): the one that is reported, and what it would be if they shared as little
as the trace allows. The programs are small, and what
their host does is the same before and after; [where that is not so](real-programs.md), predictions missed by far more.

**The model was made with these pairs at hand**, so the errors are of pairs that it knows: rules and constants were mended where
they missed, and so were cases that had a second cause or depended on how fast a driver's thread wakes up. On 2026-11-21 the
worst were +11.2 % (tiny-kernels: recording makes kernels of a microsecond a tenth longer; the path from node to node of a
graph, for which only this pair shows, is set to 0 since) and +10.4 % (host-callback: the fix was a callback that wakes
another thread, which took 2.59 to 3.16 ms from one process to the next; it is an event now). Of `--scale`, of a fix with a
number but for three and at one place, and of several fixes but for one there is no pair. Predictions of four programs that
nothing was mended for missed by −64 to +121 % ([real-programs.md](real-programs.md)).

### Kept aside

A third of the cases is kept aside: those of which the FNV-1a hash of the name (64 bits) is a multiple of 3. Nobody chooses
them. `scripts/trace_catalogue.py` has the rule and `kept_aside` in `tests/traces/catalogue.json` its outcome. Nothing is fitted
to their recordings: bands are made without them, and so are the medians in `analyzer/model/assumptions.h`
(`tests/bench/measure_assumptions.py` leaves them out). A pair is kept aside if one of its two programs is of such a case.
The rule is of 2026-11-22. Rules and constants that are older were made with all pairs in view, so that only for the bands
and for what was changed since these pairs are new.

Each pair but those is also evaluated by what all other cases say (leave one out), and bands are made of its errors then. That
changes its prediction only where a constant that was chosen by recordings stands in for examples that its own trace does not have. )";
  write_stand_ins(accuracy.pairs, out);
  out << R"( Four of them are chosen anew without
the case that they are to predict: `tests/bench/measure_assumptions.py --without-each-case` writes them to
`tests/traces/stand_in_values.json`. `latency_in_graph` was measured with another program (`tests/bench/collector/graph_periods.py`), and is the
same for all. Errors of a prediction with two ends are from the nearer one.

)";
  write_sets(accuracy, out);
  out << R"(
### Bands

A band comes from recorded pairs, each predicted without using it, and is for one fix that is made everywhere, as it is.
Fixes that change what the host does (`launch-overhead`, for one) and those that change the order of work that the device has
already are distinguished. A band is as wide as the errors of the pairs of its class need: of *n* pairs it takes the one that has
the rank 0.9 × (*n* + 1), rounded up, so that nine of ten new pairs like them are within; fewer than nine pairs make none. Of the fix
itself two cases must be among them, so that one is left when the other is left out. What the replay of the unchanged run is
off widens it. There is no band, and `lapscope` says *not validated for* what it is, if

- the fix has fewer cases, or is made with a number, at one place, or with others;
- the trace does not show what kernels share, so that there are two predictions more than `noteworthy` apart;
- the same of what the last wave of a kernel leaves to others ([causes.md](causes.md#the-last-wave-of-a-kernel));
- the fix is `host-sync`, and the host waits mostly for copies of `most_of_a_value` or less: it reads a value, and goes on by it. Such a
  program is mended by other ops, not by the same ones without the wait, and none of the pairs does that;
- the fix is `stream-order`, and threads race for a stream ([causes.md](causes.md#the-order-of-a-stream)): in none of the pairs they do;
- the predicted run waits more than any of the pairs does: no engine is busy for as much of the time;
- the fix changes nothing: what the program would gain in another way, no pair shows.

)";
  write_bands(accuracy.out_of_sample(), out);
  out << R"(
### On an H100

The same programs, recorded and measured on 2026-11-24 on two NVIDIA H100 80GB HBM3 (driver 580.159.04), each with 9 bare runs. Nothing was
chosen anew: assumptions and bands are those of the H200. Two rules were changed after these figures had been seen, because of other
[recordings](recorded-pairs.md); no row changed by that. There is a trace of each
variant that has something planted, and of the others the bare time; so `queue-alias fixed → broken` has no row. These traces
have call stacks and calibrations, and those of the H200 have neither.

)";
  write_on_h100(accuracy, out);
  out << R"(
What is planted there, and what is found:

)";
  write_confusion(accuracy.rows_on_h100, out);
  const auto& others = accuracy.found_without_cause_on_h100;
  const auto with_finding =
      std::count_if(others.begin(), others.end(), [](const auto& codes) { return !codes.empty(); });
  out << fmt::format(
      "\nOf the {} variants without a planted mistake {} had a finding when they were recorded.\n",
      others.size(), with_finding);
  out << R"(
### Pair by pair

*Left out* is the error of the prediction that is made without the case. *In its band* is that prediction in the band that the
other cases make.

)";
  write_predictions(accuracy, out);
  out << R"(
### From fixed to broken

Fixes take away what work waits for. What a program would wait for that does not, its trace does not show: how long a host
would compute or load, which copies would be pageable, where a default stream would be used. So the way back has a row only where
a fix has a number that can be less: `queue-alias:8`. Two variants are the end of no row, as no fix makes the same edit.
`sm-filling-kernels half-grid` has half the blocks, each with twice the work: `sm-saturated` is predicted as kernels that keep their
blocks and need less room, so that the path from there to `fixed` has no row either. `nccl-all-reduce high-priority` gives the
all-reduce a priority: to communication `sm-saturated` is predicted as kernels that leave it multiprocessors.

In place of the way back, every program without a planted mistake (`triple`, `half-grid` and `stream-per-buffer`, too) is asked for
the fix of its case once more, and what it takes should stay as it is. For `stream-order` this is the question of a pipeline as
good as it gets. Where it changes:

)";
  write_again(accuracy.again, out);
  out << R"(
## Planted and found

The cause planted in each trace against the first finding; broken ones have a cause, fixed ones and controls mostly none. Of
three broken ones no trace shows that it is one: the kernels of a graph, a kernel and the one that combines results, and an
all-reduce and the kernel behind it may need each other. Of a fourth, `sm-filling-kernels`, no trace shows that kernels
which find room beside each other do not slow each other down. What they would save is asked, not found
([causes.md](causes.md#what-needs-to-be-shown)).

)";
  write_confusion(accuracy.rows, out);
  out << R"(
## Every trace

The [blind replay](causes.md#blind-replay) of the unchanged trace against the recorded wall time; the replay that puts back what
each op was seen to take, which is off by what nothing explains; what remains unexplained on the path from the first
operation to the last; and the first finding, if any, with what its fix would save.

)";
  write_replays(accuracy.rows, out);
  out << R"(
## From the first operation to the last

The same traces and those beside the catalogue (`oddities`, `outside`, `stream_pipeline`), not only the ranges of cases: with
what programs do to start, to calibrate and to end.

)";
  write_whole(accuracy.whole, out);
  out << R"(
Each of these has one or two pauses of the GPU that nothing in the trace accounts for: work was issued, no other work ran, and
it started 0.27 to 2.4 ms later, in processes that had just begun to use the GPU. They are shown as `unexplained`, and where
they are more than a tenth of the time the verdict is `inconclusive`.
)";
}

void write_accuracy_header(const Accuracy& accuracy, std::ostream& out) {
  const analyzer::RecordedAccuracy known = evidence_of(accuracy.left_out);
  const analyzer::KeptAside aside = check_kept_aside(accuracy.out_of_sample());
  const auto errors = [](const analyzer::ClassErrors& one) {
    return fmt::format("{{{}, {:.4f}, {:.4f}, {:.4f}}}", one.pairs, one.median_error, one.error,
                       one.least_busy);
  };
  std::vector<std::string> codes;
  for (const std::string_view code : known.codes) {
    if (!code.empty()) codes.push_back(fmt::format("         \"{}\",\n", code));
  }
  out << fmt::format(
      R"(// Written by tests/approve.sh from tests/traces; docs/what-if-accuracy.md has each pair.
// clang-format off
#pragma once

#include "analyzer/findings/error_band.h"

namespace lapscope::analyzer {{

inline constexpr RecordedAccuracy recorded_accuracy{{
    {},
    {},
    {{{{
{}    }}}}}};

inline constexpr KeptAside kept_aside{{{}, {}}};

}}  // namespace lapscope::analyzer
)",
      errors(known.host), errors(known.device), fmt::join(codes, ""), aside.bands, aside.held);
}

}  // namespace lapscope::test
