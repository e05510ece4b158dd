#pragma once

#include <vector>

#include "analyzer/graph/graph.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {

// Finds calls, and host work between two calls, that a thread repeats in a loop that issues GPU
// work. Fixes move them out of the loop. Calls that occur once, before or between the phases of a
// program, stay where they are.
//
//   thread 1  mmmm..aM..bM..cM....      m: one call before the loop; M: three calls in the loop
//   stream 1  .......A...B...C....
class Recurring {
 public:
  Recurring(const Trace& trace, const Graph& graph);

  // Whether the fix of a cause moves calls or host work out of a loop. If so, only recurring delays
  // count for this cause.
  static bool concerns(Cause cause) {
    return cause == Cause::alloc_free || cause == Cause::host_pinning ||
           mended_with(cause) == Cause::host_compute;
  }

  // Whether a call recurs: its thread calls the function in at least three rounds
  // (assumed::enough_examples), and the function takes at most twice (assumed::uneven) as long in
  // the round of this call as in its third longest round. A new round begins when GPU work is
  // issued.
  bool call(std::uint32_t step) const { return !rule::recurring || calls_[step]; }
  // Whether the time before a step recurs, by the rules of call(). The rounds are those of the time
  // between the same two functions: the one before this time and the one of the step.
  bool gap(std::uint32_t step) const { return !rule::recurring || gaps_[step]; }

 private:
  std::vector<bool> calls_;  // by step
  std::vector<bool> gaps_;
};

}  // namespace lapscope::analyzer
