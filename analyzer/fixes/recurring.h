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

  // Whether the fix of a cause takes something out of a loop. Only recurring delays then count.
  static bool concerns(Cause cause) {
    return cause == Cause::alloc_free || cause == Cause::host_pinning ||
           mended_with(cause) == Cause::host_compute;
  }

  // Whether a call recurs: its thread calls the function in at least three rounds
  // (assumed::enough_examples), and this round takes at most twice (assumed::uneven) as long as the
  // third longest one. A new round begins when GPU work is issued.
  bool call(std::uint32_t step) const { return !rule::recurring || calls_[step]; }
  // Whether the time before a step recurs, by the rules of call(). It is compared with the times
  // between other calls of the same two functions.
  bool gap(std::uint32_t step) const { return !rule::recurring || gaps_[step]; }

 private:
  std::vector<bool> calls_;  // by step
  std::vector<bool> gaps_;
};

}  // namespace lapscope::analyzer
