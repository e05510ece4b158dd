#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analyzer/explain/walk_back.h"
#include "analyzer/intervals/interval_set.h"
#include "analyzer/intervals/units.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/cause.h"
#include "analyzer/model/ops.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

// An interval of a gap with one cause. The parts of a gap follow each other and fill it.
struct GapPart {
  Interval interval;
  Cause cause = Cause::unexplained;
  std::uint32_t call = no_index;    // in Trace::calls: the call that delayed a thread
  std::uint32_t thread = no_index;  // in Calls::threads: the one that was delayed, or busy
};

// A maximal interval of the window in which the device did nothing.
struct Gap {
  Interval interval;
  std::uint32_t next_op = no_index;  // what ended it; no_index at the end of a window
  std::vector<GapPart> parts;        // none where it was not explained
};

// What took most of an explained gap, and when the op began that ended it.
struct GapEnd {
  Ns at = 0;
  Cause cause = Cause::unexplained;
};

// All gaps of a scope. total_ns is the scope's idle time exactly.
struct Gaps {
  std::int64_t count = 0;
  Ns total_ns = 0;
  std::int64_t short_count = 0;  // gaps below the limit are not looked into
  Ns short_ns = 0;
  std::optional<TimeByCause> by_cause;  // the rest of total_ns; empty where it was not explained
  std::vector<Gap> longest;             // longest first
  std::vector<GapEnd> ends;             // of all explained gaps, in their order; on request
};

// Says what kept the ops that end gaps of one device from starting earlier: by the same walk as
// critical paths, so that both have the same parts where the path goes through such an op.
class GapExplainer {
 public:
  GapExplainer(const Sources& sources, std::uint16_t device);

  // Returns the parts of each gap in `gaps`, which follow each other before one op, or none
  // (no_index). Time in which another device worked, or this one for another scope, gets the cause
  // by which the op waited for it. Takes one walk, however many gaps there are.
  std::vector<std::vector<GapPart>> explain(std::span<const Interval> gaps,
                                            std::uint32_t next_op) const;

 private:
  GapPart part_of(const Part& path) const;

  const Sources sources_;
  std::vector<std::uint32_t> tasks_;  // by op; no_index for those that the graph does not hold
};

struct GapOptions {
  Ns shortest_ns = assumed::shortest_gap;  // gaps below are counted but not explained
  std::size_t longest_listed = 10;
  bool lists_ends = false;
};

// Finds every idle interval of a scope's window in a sweep over it, and has it explained if there
// is an explainer. Other work of the device ends a gap, which waits for the scope's next op all the
// same. The arguments of the constructor must outlive it.
//
//   scope   AAA.........BBB
//   others  ....CC..CC.....     gaps [3,4) [6,8) [10,12), all of them explained by B
class GapObserver {
 public:
  GapObserver(const Trace& trace, const Device& device, const GapOptions& options,
              const GapExplainer* explainer = nullptr);

  void begin(std::uint32_t op, Interval clipped);
  void end(std::uint32_t op);
  void stretch(Interval interval);
  void other_work(Interval) {}

  // After the sweep.
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
  std::size_t active_ = 0;         // ops
  std::vector<Interval> pending_;  // gaps whose next op is not yet settled
  std::uint32_t next_op_ = no_index;
};

}  // namespace lapscope::analyzer
