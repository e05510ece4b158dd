#include "tests/analyzer/findings/accuracy_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace lapscope::test {
namespace {

std::string percent(double share) { return fmt::format("{:+.1f}", share * 100); }

void write_predictions(const std::vector<AccuracyPair>& pairs, std::ostream& out) {
  const std::pair<const char*, double (AccuracyPair::*)() const> ends[] = {
      {"at the cautious end", &AccuracyPair::error},
      {"at the other end", &AccuracyPair::least_error},
      {"outside of the range", &AccuracyPair::miss}};
  out << fmt::format(
      "| {} pairs | median % | worst % | within 3 % | within 10 % |\n| --- | ---: | ---: | ---: | "
      "---: |\n",
      pairs.size());
  for (const auto& [name, error] : ends) {
    const std::vector<double> errors = errors_of(pairs, error);
    const auto within = [&errors](double limit) {
      return std::count_if(errors.begin(), errors.end(),
                           [limit](double one) { return std::abs(one) <= limit; });
    };
    out << fmt::format("| {} | {:.1f} | {:.1f} | {} | {} |\n", name, median_of(errors) * 100,
                       worst_of(errors) * 100, within(0.03), within(0.10));
  }
  out << "\n| case | fix | recorded | bare | predicted | or | put right, bare | error % | or |\n"
         "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
  for (const AccuracyPair& pair : pairs) {
    std::string name = pair.name;
    if (pair.variant != "broken") name += " " + pair.variant;
    if (pair.put_right != "fixed") name += " → " + pair.put_right;
    const bool is_range = pair.least_ms < pair.predicted_ms;
    out << fmt::format("| {} | `{}` | {:.3f} | {:.3f} | {:.3f} | {} | {:.3f} | {} | {} |\n", name,
                       fmt::join(pair.fixes, "`, `"), pair.wall_ms, pair.bare_ms, pair.predicted_ms,
                       is_range ? fmt::format("{:.3f}", pair.least_ms) : "", pair.put_right_ms,
                       percent(pair.error()), is_range ? percent(pair.least_error()) : "");
  }
}

void write_confusion(const std::vector<AccuracyRow>& rows, std::ostream& out) {
  std::map<std::pair<std::string, std::string>, int> counts;
  int right = 0;
  const auto or_nothing = [](const std::string& code) { return code.empty() ? "nothing" : code; };
  const auto found = [&](const AccuracyRow& row) {
    return row.asked.empty() ? or_nothing(row.top) : "nothing; asked: " + row.asked;
  };
  for (const AccuracyRow& row : rows) {
    ++counts[{or_nothing(row.planted), found(row)}];
    right += row.planted == row.top;
  }
  out << fmt::format("{} of {} traces are judged as planted.\n\n", right, rows.size());
  out << "| planted | found first | traces |\n| --- | --- | ---: |\n";
  for (const auto& [key, count] : counts) {
    const bool is_right = key.first == key.second;
    out << fmt::format("| {} | {} | {} |\n", key.first,
                       is_right ? key.second : "**" + key.second + "**", count);
  }
}

void write_replays(const std::vector<AccuracyRow>& rows, std::ostream& out) {
  std::vector<double> errors;
  std::vector<double> unexplained;
  for (const AccuracyRow& row : rows) {
    errors.push_back(row.replay_error);
    unexplained.push_back(row.unexplained_share);
  }
  out << fmt::format(
      "Over {} traces the median of |replay error| is {:.2f} %, the worst {:.2f} %. The largest "
      "share of the wall time that no cause explains is {:.2f} %.\n\n",
      rows.size(), median_of(errors) * 100, worst_of(errors) * 100, worst_of(unexplained) * 100);
  out << "| case | variant | wall ms | replay % | unexplained % | planted | found first | saving % "
         "| "
         "busiest engine |\n| --- | --- | ---: | ---: | ---: | --- | --- | ---: | --- |\n";
  for (const AccuracyRow& row : rows) {
    out << fmt::format("| {} | {} | {:.3f} | {:+.2f} | {:.2f} | {} | {} | {} | {} {:.0f} % |\n",
                       row.name, row.variant, row.wall_ms, row.replay_error * 100,
                       row.unexplained_share * 100, row.planted, row.top,
                       row.top.empty() ? "" : fmt::format("{:.1f}", row.top_saving * 100),
                       row.bound_by, row.bound_share * 100);
  }
}

void write_whole(const std::vector<WholeTrace>& traces, std::ostream& out) {
  std::vector<double> errors;
  std::vector<WholeTrace> beyond;
  for (const WholeTrace& trace : traces) {
    errors.push_back(trace.replay_error);
    if (is_explained(trace)) continue;
    beyond.push_back(trace);
  }
  out << fmt::format(
      "Over {} traces the median of |replay error| is {:.2f} %. Of {} more than 2 % of the time is "
      "not explained, or the replay is more than 3 % off:\n\n",
      traces.size(), median_of(errors) * 100, beyond.size());
  out << "| trace | wall ms | replay % | unexplained % |\n| --- | ---: | ---: | ---: |\n";
  for (const WholeTrace& trace : beyond) {
    out << fmt::format("| {} | {:.3f} | {:+.2f} | {:.2f} |\n", trace.name, trace.wall_ms,
                       trace.replay_error * 100, trace.unexplained_share * 100);
  }
}

}  // namespace

bool is_explained(const WholeTrace& trace) {
  return trace.unexplained_share <= 0.02 && std::abs(trace.replay_error) <= 0.03;
}

void write_accuracy_page(const Accuracy& accuracy, std::ostream& out) {
  out << R"(# How good the predictions are

    tests/approve.sh BUILD_DIR

writes this page from the recorded traces in `tests/traces` and their catalogue (H200, driver and date in each trace), and
a test holds the page to what the analysis says today. Each trace is judged in the NVTX range of its case, on the GPU that
took longest. [causes.md](causes.md) explains the model and what it leaves out.

## Predicted and measured

For each case that was recorded broken: the wall time that `lapscope whatif --fix CODE` predicts from that recording alone,
and what the program that was put right takes without a recorder (median of its runs). Where that has several fixes, all of
them are made, one after the other (`--fix CODE --fix CODE`); where a program between the two was recorded, the way to it
and from it has a row, too. Times in ms. The bare time of the program stands beside the recorded one, because a prediction
made from a recording also carries what recording cost. The error is predicted / measured − 1. A prediction is given with
the band that the worst of these errors makes, widened by what the replay of its own trace is off. Where the
trace does not show what kernels beside each other share, there are two predictions
([causes.md](causes.md#kernels-beside-each-other)): the one that is reported, and what it would be if they shared as little
as the trace allows; the band is around both. The programs are small, and what
their host does is the same before and after; [where that is not so](real-programs.md), predictions missed by far more.

**The model was made with these pairs at hand**, so the errors are of pairs that it knows: rules and constants were mended where
they missed, and so were cases that had a second cause or depended on how fast a driver's thread wakes up. On 2026-11-21 the
worst were +11.2 % (tiny-kernels: recording makes kernels of a microsecond a tenth longer; the way from node to node of a
graph, for which only this pair tells, is set to 0 since) and +10.4 % (host-callback: the fix was a callback that wakes
another thread, which took 2.59 to 3.16 ms from one process to the next; it is an event now). Of `--scale`, of a fix with a
number or at one place, and of several fixes but for one there is no pair. Predictions of four programs that nothing was
mended for missed by −64 to +121 % ([real-programs.md](real-programs.md)).

)";
  write_predictions(accuracy.pairs, out);
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

The replay of the unchanged trace against the recorded wall time; what remains unexplained on the way from the first
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
it started 0.27 to 2.4 ms later, in processes that had just begun to use the GPU. They are told as `unexplained`, and where
they are more than a tenth of the time the verdict is `inconclusive`.
)";
}

void write_accuracy_header(const Accuracy& accuracy, std::ostream& out) {
  const analyzer::RecordedAccuracy known = in_short(accuracy.pairs);
  out << fmt::format(
      R"(// Written by tests/approve.sh from tests/traces; docs/what-if-accuracy.md has each pair.
#pragma once

namespace lapscope::analyzer {{

// By what share predictions of recorded pairs of small programs missed what the program that was
// put right takes without a recorder: |predicted / measured - 1|, of a range from its nearer end.
struct RecordedAccuracy {{
  int pairs;
  double median_error;
  double worst_error;
}};

inline constexpr RecordedAccuracy recorded_accuracy{{{}, {:.4f}, {:.4f}}};

}}  // namespace lapscope::analyzer
)",
      known.pairs, known.median_error, known.worst_error);
}

}  // namespace lapscope::test
