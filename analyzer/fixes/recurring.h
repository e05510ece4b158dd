#pragma once

#include <vector>

#include "analyzer/graph/graph.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {

// Finds recurring calls, and recurring host work between calls: a thread repeats them in a loop
// that issues GPU work. Fixes move recurring calls and host work out of the loop. Calls that occur
// once, before or between the phases of a program, stay where they are.
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

  // Whether a call recurs. The calls of one function by one thread are grouped into rounds. A new
  // round begins when GPU work is issued. A call recurs if there are at least three rounds
  // (assumed::enough_examples), and the call's round takes at most twice (assumed::uneven) as long
  // as the third longest round.
  bool call(std::uint32_t step) const { return !rule::recurring || calls_[step]; }
  // Whether the host work before a step recurs. The host work of one thread between calls of the
  // same two functions is grouped into rounds. The other rules of call() apply to these rounds.
  bool gap(std::uint32_t step) const { return !rule::recurring || gaps_[step]; }

 private:
  std::vector<bool> calls_;  // by step
  std::vector<bool> gaps_;
};

}  // namespace lapscope::analyzer
