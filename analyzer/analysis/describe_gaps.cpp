#include "analyzer/analysis/describe_gaps.h"

#include "analyzer/model/trace.h"

namespace lapscope::analyzer {
namespace {

// The call that held the thread up, and the range that it was in.
std::string detail_of(const GapPart& part, const Trace& trace, const HostTimeline& host) {
  std::string detail;
  if (part.thread == no_index) return detail;
  if (part.call != no_index) detail = trace.names.text(trace.calls.name[part.call]);
  const std::uint32_t range =
      host.innermost_range(trace.calls.threads[part.thread].global_tid,
                           part.interval.start + part.interval.length() / 2);
  if (range != no_index) {
    if (!detail.empty()) detail += " ";
    detail += "in range '" + trace.names.text(trace.ranges[range].name) + "'";
  }
  return detail;
}

GapResult describe(const Gap& gap, const Trace& trace, const HostTimeline& host,
                   const Device& device) {
  GapResult result;
  result.interval = gap.interval;
  if (gap.next_op != no_index) {
    result.next = name_of_op(trace, device, gap.next_op);
    const std::uint32_t issue = device.ops.issue[gap.next_op];
    if (issue != no_index) {
      const std::int64_t tid = trace.calls.threads[trace.calls.thread_of(issue)].global_tid;
      result.thread = "thread " + std::to_string(tid_of(tid));
    }
  }
  for (const GapPart& part : gap.parts) {
    result.parts.push_back({part.cause, part.interval, detail_of(part, trace, host)});
  }
  return result;
}

}  // namespace

GapsResult describe_gaps(const Gaps& gaps, const Trace& trace, const HostTimeline& host,
                         const Device& device) {
  GapsResult result{gaps.count, gaps.total_ns, gaps.short_count, gaps.short_ns, gaps.by_cause, {}};
  for (const Gap& gap : gaps.longest) {
    result.longest.push_back(describe(gap, trace, host, device));
  }
  return result;
}

std::vector<std::pair<std::string_view, std::int64_t>> times_of(const GapsResult& gaps) {
  std::vector<std::pair<std::string_view, std::int64_t>> times;
  if (!gaps.by_cause) return times;
  for (std::size_t cause = 0; cause < cause_count; ++cause) {
    const std::int64_t ns = (*gaps.by_cause)[cause];
    if (ns > 0) times.emplace_back(code_of(static_cast<Cause>(cause)), ns);
  }
  if (gaps.short_ns > 0) times.emplace_back("short", gaps.short_ns);
  return times;
}

}  // namespace lapscope::analyzer
