#pragma once

#include <vector>

#include "analyzer/graph/graph.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {

// Finds calls, and host work between two calls, that a thread repeats in a loop. The loop must
// issue GPU work. Fixes move these calls and this work out of the loop. Some calls occur only once,
// before or between the phases of a program. Fixes leave them where they are.
//
//   thread 1  mmmm..aM..bM..cM....      m: one call before the loop; M: three calls in the loop
//   stream 1  .......A...B...C....
class Recurring {
 public:
  Recurring(const Trace& trace, const Graph& graph);

  // Whether only recurring delays of a cause are considered. This holds for causes whose fix takes
  // something out of a loop.
  static bool concerns(Cause cause) {
    return cause == Cause::alloc_free || cause == Cause::host_pinning ||
           mended_with(cause) == Cause::host_compute;
  }

  // Whether the call of a step recurs. Its thread must call the same function in at least three
  // rounds (assumed::enough_examples). The round of the call must take at most twice
  // (assumed::uneven) as long as the third longest round. A new round begins when GPU work is
  // issued.
  bool call(std::uint32_t step) const { return !rule::recurring || calls_[step]; }
  // Whether the time before a step recurs, by the same rules as in call(). This time is compared
  // with the times between other calls of the same two functions.
  bool gap(std::uint32_t step) const { return !rule::recurring || gaps_[step]; }

 private:
  std::vector<bool> calls_;  // by step
  std::vector<bool> gaps_;
};

}  // namespace lapscope::analyzer
