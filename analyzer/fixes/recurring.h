#pragma once

#include <vector>

#include "analyzer/graph/graph.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {

// What threads do again and again with work of the device in between: the calls of a loop, and the
// host's own work between two of its calls. A fix moves that out of the loop; what is done once,
// before or between the phases of a program, has to be done whatever the loop looks like.
//
//   thread 1  mmmm..aM..bM..cM....      the call m once, before the loop; M in it, three times
//   stream 1  .......A...B...C....
class Recurring {
 public:
  Recurring(const Trace& trace, const Graph& graph);

  // Whether a cause only counts where it recurs: its fix is to take something out of a loop.
  static bool concerns(Cause cause) {
    return cause == Cause::alloc_free || cause == Cause::host_pinning ||
           mended_with(cause) == Cause::host_compute;
  }

  // Whether a step is a call that recurs: three times at least, of one function in one thread, and
  // not more than four times as long as the third longest of them.
  bool call(std::uint32_t step) const { return !rule::recurring || calls_[step]; }
  // Likewise of the time before it, between calls of the same two functions.
  bool gap(std::uint32_t step) const { return !rule::recurring || gaps_[step]; }

 private:
  std::vector<bool> calls_;  // by step
  std::vector<bool> gaps_;
};

}  // namespace lapscope::analyzer
