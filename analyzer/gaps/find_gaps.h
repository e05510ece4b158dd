#pragma once

#include "analyzer/gaps/explain_gap.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

struct GapOptions {
  std::int64_t shortest_ns = assumed::shortest_gap;  // gaps below are counted but not explained
  std::size_t longest_listed = 10;
};

// Finds every idle stretch of a scope's window in a sweep over it, and has it explained if there is
// who can. Other work of the device ends a gap, which waits for the scope's next op all the same.
// What it is made of must outlive it.
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
