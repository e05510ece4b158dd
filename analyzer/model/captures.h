#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// When streams of a process were being captured, by the calls that begin and end a capture:
//
//   calls          begin   begin   end   end         end
//   captured       [========================]
//   captured  [=====================================]        the last end has no beginning: the
//                                                            trace begins within its capture
//
// It is not recorded which of its streams was captured. A capture without an end lasts.
class Captures {
 public:
  explicit Captures(const Trace& trace);
  // Whether the call may have been captured, and if so enqueued nothing.
  bool may_hold(const Calls& calls, std::uint32_t call) const;

 private:
  std::map<std::uint32_t, std::vector<Interval>> of_process_;  // apart and by start
};

}  // namespace lapscope::analyzer
