#pragma once

#include <optional>

#include "analyzer/gaps/gap.h"
#include "analyzer/gaps/host_timeline.h"
#include "analyzer/gaps/stream_holds.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

struct GapOptions {
  std::int64_t shortest_ns = assumed::shortest_gap;  // gaps below are counted but not explained
  std::size_t longest_listed = 10;
  // Of an op that was issued and whose engine was free, the delay that counts as the way to the
  // GPU; the rest is unexplained.
  std::int64_t launch_latency_ns = assumed::longest_latency;
};

// Finds every idle stretch of a scope's window in a sweep over it, and partitions each in time by
// what kept the next op from starting: first by what the thread that issues that op was doing until
// it had issued it, then by what happened to the op. What it is made of must outlive it.
class GapObserver {
 public:
  GapObserver(const Trace& trace, const Device& device, const HostTimeline& host,
              const StreamHolds& holds, const GapOptions& options);

  void begin(std::uint32_t op, Interval clipped);
  void end(std::uint32_t op);
  void stretch(Interval interval);

  // After the sweep.
  Gaps gaps();

 private:
  void close(std::uint32_t next_op);
  Gap explain(Interval interval, std::uint32_t next_op) const;
  void explain_issued(Interval stretch, Gap& gap) const;
  void name_ranges(Gap& gap) const;
  void list(const Gap& gap);

  const Trace& trace_;
  const Device& device_;
  const HostTimeline& host_;
  const StreamHolds& holds_;
  const GapOptions options_;
  Gaps result_;
  std::size_t active_ = 0;           // ops
  std::optional<Interval> pending_;  // a gap whose next op is not yet settled
  std::uint32_t next_op_ = no_index;
};

}  // namespace lapscope::analyzer
