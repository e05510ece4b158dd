#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "analyzer/fixes/tiles.h"
#include "analyzer/graph/graph.h"
#include "analyzer/graph/launched_graphs.h"

namespace lapscope::analyzer {

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
// Given what the trace shows, only those begin that are shown to need nothing of what was before:
// tiles, copies back after a copy out to the same device, another executable
// graph of the same nodes. Where only the copies in are shown to need nothing, what uses them
// waits for the chain before, too:
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
  // shown: the evidence; null where all chains begin.
  Chains(const Trace& trace, const Graph& graph, const Tiles* shown);

  // Where a task, or a graph launch, stands in its stream and thread.
  struct Place {
    std::uint32_t chain = 0;            // that it belongs to, counted from 0
    std::uint32_t before = no_index;    // the task before it in its chain
    std::uint32_t computed = no_index;  // of communication: what may have made the data
    std::uint32_t launched = no_index;  // before a graph launch: the one before it
    // Behind copies in: the end of the chain before. Of copies out, and behind them: those before.
    std::uint32_t needed = no_index;
    std::uint32_t copied_out = no_index;   // the last one that was left behind
    std::vector<std::uint32_t> left = {};  // copies out right before it that are left behind
    bool is_ahead = false;  // copies in that need nothing, of what needs the chain before
    const std::vector<std::uint32_t>* ends = nullptr;  // the last task of each chain

    // The last tasks of what runs beside its chain, before it.
    std::vector<std::uint32_t> beside(std::uint32_t depth) const;
  };

  // Each task or launch once, in the order of tasks. A place is good until the next call.
  Place pass_task(std::uint32_t t);

  // A graph launch goes on with the chain that its stream is in, but after one of another graph,
  // and waits for the launch before it that may be of its executable graph: these never run side
  // by side, whatever stream they are in.
  Place pass_launch(const Step& launch);

 private:
  struct Lane {
    std::uint32_t last = no_index;
    std::uint32_t launched = no_index;
    std::uint32_t needed = no_index;  // by what uses the copies in, or follows copies out
    std::uint32_t copied_out = no_index;
    std::vector<std::uint32_t> left = {};
    bool was_bringing = false;
    std::uint8_t target = no_device;
    std::uint64_t graph = 0;                // that was launched last, with nothing after it
    std::vector<std::uint64_t> nodes = {};  // what its nodes do
    std::vector<std::uint32_t> ends;
  };
  using Key = std::tuple<std::uint32_t, std::int64_t, bool>;

  static Place pass(Lane& lane, bool begins, std::uint32_t last);
  static Place leave_behind(Lane& lane, std::uint32_t t);
  std::int64_t thread_of(const Task& task) const;
  bool brings_in(const Task& task) const;
  std::uint8_t target_of(const Task& task) const;
  bool sends_back(const Lane& lane, const Task& task) const;
  std::vector<std::uint64_t> nodes_of(const Step& launch) const;

  const Trace& trace_;
  const Graph& graph_;
  LaunchedGraphs launches_;
  const Tiles* shown_;
  std::map<std::int64_t, std::int64_t> first_of_;  // of threads that take turns, by global tid
  std::map<Key, Lane> lanes_;
  std::unordered_map<std::uint64_t, std::uint32_t> of_graph_;  // the launch before
};

}  // namespace lapscope::analyzer
