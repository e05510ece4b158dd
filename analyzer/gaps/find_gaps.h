#pragma once

#include "analyzer/gaps/gap.h"
#include "analyzer/gaps/host_timeline.h"
#include "analyzer/measures/activity.h"

namespace lapscope::analyzer {

struct GapOptions {
  std::int64_t shortest_ns = 1000;  // gaps below are counted but not explained
  std::size_t longest_listed = 10;
  // Of an op that was issued and whose engine was free, the delay that counts as the way to the
  // GPU. An H200 takes about 4 us for a first op and 1.3 us between dependent ones; the rest is
  // unexplained.
  std::int64_t launch_latency_ns = 20'000;
};

// Every idle stretch of a scope's window, partitioned in time by what kept the next op from
// starting: first by what the thread that issues that op was doing until it had issued it, then by
// what happened to the op.
Gaps find_gaps(const Trace& trace, const Device& device, const Scope& scope,
               const Activity& activity, const HostTimeline& host, const GapOptions& options);

}  // namespace lapscope::analyzer
