#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "analyzer/findings/advice/steps.h"
#include "analyzer/findings/host_time.h"
#include "analyzer/findings/places.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

std::string duration(std::int64_t ns) {
  constexpr double ns_per_us = 1e3;
  constexpr double ns_per_ms = 1e6;
  const auto length = static_cast<double>(ns);
  return length < ns_per_ms ? fmt::format("{:.1f} us", length / ns_per_us)
                            : fmt::format("{:.1f} ms", length / ns_per_ms);
}

}  // namespace

// One memset keeps the GPU busy all the time from its first op to its last, and is nothing to
// make faster.
bool tell_little_work(const AdviceInput& in, std::vector<Advice>& advice) {
  const Trace& trace = in.sources.trace;
  const Ops& ops = trace.devices[in.scope.device].ops;
  if (in.scope.leaves_out_ops || ops.size() == 0 || !in.result.findings.empty()) return false;
  std::optional<Interval> calls;
  for (std::size_t call = 0; call < trace.calls.size(); ++call) {
    const Interval one = trace.calls.interval(call);
    if (!calls) calls = one;
    calls = {std::min(calls->start, one.start), std::max(calls->end, one.end)};
  }
  std::vector<Interval> running;
  for (std::size_t op = 0; op < ops.size(); ++op) running.push_back(ops.interval(op));
  const IntervalSet busy = IntervalSet::union_of(std::move(running));
  if (!calls || busy.empty()) return false;
  const auto all = busy.intervals();
  const Interval work{all.front().start, all.back().end};
  const bool is_short = share(work.length(), calls->length()) < assumed::little_work;
  const bool is_rare =
      ops.size() < assumed::few_ops && share(busy.length(), calls->length()) < assumed::little_work;
  if (!is_short && !is_rare) return false;
  advice.push_back(
      {"little-work",
       fmt::format("The GPU works for {} ({}) of the {} between the first and "
                   "the last CUDA call: there is next to nothing to overlap or to make faster. "
                   "If the program does more, record more of it.",
                   duration(busy.length()),
                   ops.size() == 1 ? name_of_op(trace, trace.devices[in.scope.device], 0)
                                   : fmt::format("{} ops", ops.size()),
                   duration(calls->length())),
       true});
  return true;
}

// Nothing saves enough to be reported: because of the host, or of the work itself.
void advise_dependence(const AdviceInput& in, std::vector<Advice>& advice) {
  for (const BlameRow& row : in.result.blame) {
    const auto cause = cause_of_code(row.code);
    if (row.kind == BlameKind::work || !cause || !is_of_host(*cause)) continue;
    if (share(row.ns, in.wall) < assumed::large_part) break;
    advice.push_back(
        {"host", fmt::format("The GPU waits for the host {:.1f} % of the time ({}), and streams "
                             "do not make it issue faster. Issue work further ahead, in fewer "
                             "calls, or from a dedicated thread.",
                             100 * share(row.ns, in.wall), row.code)});
    return;
  }
  // What is not explained may be anything but needed.
  if (!in.result.is_conclusive()) return;
  advice.push_back({"independent-work",
                    "No known fix saves enough to be reported: each op waited for work that it "
                    "needs, or for the last of several. Streams help only with independent "
                    "work: another batch, the next input."});
}

// What other tools saw of the time that is the host's own.
void tell_host_time(const AdviceInput& in, std::vector<Advice>& advice) {
  if (in.sources.trace.host_states.empty()) return;
  auto text = host_time(in.sources, critical_path(in.sources, in.scope), in.wall);
  if (text) advice.push_back({"host-time", std::move(*text)});
}

}  // namespace lapscope::analyzer
