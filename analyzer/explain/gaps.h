#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analyzer/explain/walk_back.h"
#include "analyzer/intervals/interval_set.h"
#include "analyzer/intervals/units.h"
#include "analyzer/model/cause.h"
#include "analyzer/model/ops.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

// An interval of a gap with a single cause. The parts of a gap fill the gap.
struct GapPart {
  Interval interval;
  Cause cause = Cause::unexplained;
  std::uint32_t call = no_index;    // in Trace::calls: the call that delayed a thread
  std::uint32_t thread = no_index;  // in Calls::threads: the thread that was delayed or busy
};

// A maximal interval of the window in which the device did nothing.
struct Gap {
  Interval interval;
  std::uint32_t next_op = no_index;  // the scope's first op after the gap; no_index if none
  std::vector<GapPart> parts;        // empty if the gap was not explained
};

// The end of an explained gap. `at` is the start of the op after the gap. `cause` is the cause with
// the most time in the gap.
struct GapEnd {
  Ns at = 0;
  Cause cause = Cause::unexplained;
};

// All gaps of a scope. total_ns is exactly the scope's idle time.
struct Gaps {
  std::int64_t count = 0;
  Ns total_ns = 0;
  std::optional<TimeByCause> by_cause;  // its sum is total_ns; empty if gaps are not explained
  std::vector<Gap> longest;             // longest first
  std::vector<GapEnd> ends;             // of all explained gaps, by time; on request
};

// Finds why the ops after gaps of a device did not start earlier. Uses critical_path(). So the
// parts of a gap are the same as on a critical path through the op after the gap.
class GapExplainer {
 public:
  GapExplainer(const Sources& sources, std::uint16_t device);

  // Returns the parts of each gap. `next_op` is the scope's first op after all of these gaps, or
  // no_index if there is none. One walk back from `next_op` explains all gaps. If `next_op` waited
  // for work of another scope or device during a gap, the gap's cause is the cause of this wait.
  std::vector<std::vector<GapPart>> explain(std::span<const Interval> gaps,
                                            std::uint32_t next_op) const;

 private:
  GapPart part_of(const Part& path) const;

  const Sources sources_;
  std::vector<std::uint32_t> tasks_;  // by op; no_index for an op that is not in the graph
};

struct GapOptions {
  std::size_t longest_listed = 10;
  bool lists_ends = false;
};

// Finds the gaps in a scope's window during a sweep. Each op of the device ends a gap, also an op
// outside the scope. If there is an explainer, the parts of a gap show what delayed the scope's
// next op. The constructor's arguments must outlive the observer.
//
//   scope   AAA.........BBB
//   others  ....CC..CC.....     gaps [3,4) [6,8) [10,12): their parts show what delayed B
class GapObserver {
 public:
  GapObserver(const Trace& trace, const Device& device, const GapOptions& options,
              const GapExplainer* explainer = nullptr);

  void begin(std::uint32_t op, Interval clipped);
  void end(std::uint32_t op);
  void stretch(Interval interval);
  void other_work(Interval) {}

  // Returns the gaps. Must be called once, after the sweep.
  Gaps gaps();

 private:
  void close(std::uint32_t next_op);
  void add(Gap gap);
  void list(Gap gap);

  const Trace& trace_;
  const Device& device_;
  const GapOptions options_;
  const GapExplainer* explainer_;
  Gaps result_;
  std::size_t active_ = 0;         // number of ops that run
  std::vector<Interval> pending_;  // gaps whose next op is not known yet
  std::uint32_t next_op_ = no_index;
};

}  // namespace lapscope::analyzer
