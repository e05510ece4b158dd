#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// The times in which a process captured a stream into a graph. A capture lasts from a call that
// begins a capture to a call that ends a capture:
//
//   calls          begin   begin   end   end
//   captured       [========================]
//
//   calls          begin   begin   end   end         end
//   captured  [=========================================]    the last end has no begin: its
//                                                            capture began before the trace
//
// The trace does not show which stream of the process was captured. A capture without an end lasts
// until the end of the trace.
class Captures {
 public:
  explicit Captures(const Trace& trace);
  // Whether a call may have been captured into a graph. A captured call issues no op.
  bool may_hold(const Calls& calls, std::uint32_t call) const;

 private:
  std::map<std::uint32_t, std::vector<Interval>> of_process_;  // disjoint, by start
};

}  // namespace lapscope::analyzer
