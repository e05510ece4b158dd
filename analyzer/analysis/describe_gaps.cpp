#include "analyzer/analysis/describe_gaps.h"
#include "analyzer/model/describe.h"

namespace lapscope::analyzer {
namespace {

std::string detail_of(const GapPart& part, const Trace& trace) {
  std::string detail;
  if (part.call != no_index) detail = trace.names.text(trace.calls.name[part.call]);
  if (part.range != no_index) {
    if (!detail.empty()) detail += " ";
    detail += "in range '" + trace.names.text(trace.ranges[part.range].name) + "'";
  }
  return detail;
}

GapResult describe(const Gap& gap, const Trace& trace, const Device& device) {
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
    result.parts.push_back({part.cause, part.interval, detail_of(part, trace)});
  }
  return result;
}

}  // namespace

GapsResult describe_gaps(const Gaps& gaps, const Trace& trace, const Device& device) {
  GapsResult result{gaps.count, gaps.total_ns, gaps.short_count, gaps.short_ns, gaps.by_cause, {}};
  for (const Gap& gap : gaps.longest) result.longest.push_back(describe(gap, trace, device));
  return result;
}

}  // namespace lapscope::analyzer
