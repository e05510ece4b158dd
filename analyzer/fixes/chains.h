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

// The order that remains of the order of streams when ops wait only for those ops that they may
// need.
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
// Given what the trace shows, only those chains begin that are shown to need nothing of what was
// before. Where only the copies in are shown to need nothing, what uses them waits for the chain
// before:
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
//
// Consecutive kernels of which nothing is known (OpenOrder) run side by side, unless that has to be
// shown:
//
//   stream 1   AAA KKK KKK KKK BBB
//   becomes    AAA KKK         BBB
//                  KKK
//                      KKK                  with a depth of 2
class Chains {
 public:
  // depth: chains side by side. independence: the evidence; null where all chains begin.
  Chains(const Trace& trace, const Graph& graph, std::uint32_t depth,
         const Independence* independence);

  // A task, or a graph launch, in its stream.
  struct Place {
    std::uint32_t stream = 0;           // that it was put into
    std::vector<std::uint32_t> behind;  // tasks that it waits for
    std::vector<std::uint32_t> beside;  // what ends all that is ahead of it, and itself
    std::uint32_t computed = no_index;  // of communication: what may have made the data
    bool is_apart = false;              // it does not wait for all that is ahead
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
    bool has_left = false;              // a copy out, right before
    Launched launch = {};               // right before, with nothing after it
    std::uint32_t launched = no_index;  // the last launch
    // What ends each chain: the last task, or some kernels side by side; and what those of the last
    // chain waited for.
    std::vector<std::vector<std::uint32_t>> ends;
    std::vector<std::uint32_t> row_behind;
  };
  using Key = std::tuple<std::uint32_t, std::int64_t, bool>;

  void go_on(Lane& lane, std::uint32_t last, bool begins, std::uint32_t depth);
  void join_row(Lane& lane, std::uint32_t t);
  void leave_behind(Lane& lane, std::uint32_t t);
  void wait_for(const std::vector<std::uint32_t>& tasks);
  void wait_for(std::uint32_t task);
  void tell_beside(const Lane& lane);
  bool begins(const Lane& lane, const Task& task) const;
  std::int64_t thread_of(const Task& task) const;

  const Trace& trace_;
  const Graph& graph_;
  std::uint32_t depth_;
  LaunchedGraphs launches_;
  const Independence* independence_;
  OpenOrder open_;
  std::map<std::int64_t, std::int64_t> first_of_;  // of threads that take turns, by global tid
  std::map<Key, Lane> lanes_;
  std::unordered_map<std::uint64_t, std::uint32_t> of_graph_;  // the launch before
  Place place_;
};

}  // namespace lapscope::analyzer
