#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "analyzer/graph/graph.h"
#include "analyzer/graph/launched_graphs.h"
#include "analyzer/independence/independence.h"

namespace lapscope::analyzer {

// The order that is left of that of streams when ops wait for those alone that they may need.
//
// The work of a stream falls into chains that each begin with bringing data in: copies to the
// device, or to another one. What a thread issues is a chain of its own, unless it takes turns with
// another one, as a training loop does with its backward pass. So are the kernels
// that communicate, each of which waits for what was computed before it, and a launch of another
// graph than the one launched right before.
//
//   stream 1   HHH KKK DDD HHH KKK DDD      a chain is H K D; with a depth of 2
//   becomes    HHH KKK DDD                  the second runs beside the first,
//                  HHH KKK DDD              and the third after the first
//
// Given what the trace shows, only those begin that are shown to need nothing of what was before.
// Where only the copies in are shown to need nothing, what uses them waits for the chain before:
//
//   stream 1   HHH KKKKK HHH KKKKK
//   becomes    HHH KKKKK
//                  HHH   KKKKK
//
// Where the work behind copies out needs nothing of them, it waits for the copies out before these:
// for the other of two buffers.
//
//   stream 1   KKK DDDD KKK DDDD
//   becomes    KKK      KKK
//                  DDDD     DDDD
class Chains {
 public:
  // depth: chains side by side. shown: the evidence; null where all chains begin.
  Chains(const Trace& trace, const Graph& graph, std::uint32_t depth, const Independence* shown);

  // What a task, or a graph launch, waits for of its stream.
  struct Place {
    std::vector<std::uint32_t> behind;    // tasks
    std::uint32_t copied_out = no_index;  // the last copy out ahead that something did not wait for
    std::vector<std::uint32_t> left;      // those right ahead that it does not wait for
    std::vector<std::uint32_t> beside;    // what ends chains ahead, and may end after it
    std::uint32_t computed = no_index;    // of communication: what may have made the data
    bool is_apart = false;                // from what was right ahead of it
  };

  // Each task or launch once, in the order of tasks. A place is good until the next call.
  const Place& pass_task(std::uint32_t t);

  // A graph launch goes on with the chain that its stream is in, but after one of another graph,
  // and waits for the launch before it that may be of its executable graph: these never run side
  // by side, whatever stream they are in.
  const Place& pass_launch(const Step& launch);

 private:
  struct Lane {
    std::uint32_t last = no_index;
    std::uint32_t needed = no_index;  // by what uses the copies in, or follows copies out
    std::uint32_t copied_out = no_index;
    std::vector<std::uint32_t> left = {};
    Launched launch = {};               // right before, with nothing after it
    std::uint32_t launched = no_index;  // the last launch
    std::vector<std::uint32_t> ends;    // of chains: the last task
  };
  using Key = std::tuple<std::uint32_t, std::int64_t, bool>;

  void pass(Lane& lane, std::uint32_t last, bool begins, std::uint32_t depth);
  const Place& leave_behind(Lane& lane, std::uint32_t t);
  void wait_for(std::uint32_t task);
  void tell_beside(const Lane& lane);
  bool begins(const Lane& lane, const Task& task) const;
  std::int64_t thread_of(const Task& task) const;

  const Trace& trace_;
  const Graph& graph_;
  std::uint32_t depth_;
  LaunchedGraphs launches_;
  const Independence* shown_;
  std::map<std::int64_t, std::int64_t> first_of_;  // of threads that take turns, by global tid
  std::map<Key, Lane> lanes_;
  std::unordered_map<std::uint64_t, std::uint32_t> of_graph_;  // the launch before
  Place place_;
};

}  // namespace lapscope::analyzer
