#pragma once

#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

#include "analyzer/graph/graph.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// When the tasks and steps of a graph would run.
struct Replayed : Times {
  // Tasks that were never released, which then stay where they were: 0 unless the graph is wrong.
  std::int64_t stuck = 0;
  // Parameters::stand_ins, and the names of assumptions for latencies that the trace has no
  // examples of.
  std::set<std::string_view> stand_ins;
  // Whether these times depend on what kernels share of which that is not known: at the other end
  // of it (MachineParameters::sharing) they may be different ones.
  bool is_in_doubt = false;
  // For how long kernels ran beside each other of which that is so.
  Ns in_doubt_ns = 0;
  // What the last waves of kernels may leave to those that waited for them, all together: above 0,
  // these times depend on that.
  Ns last_waves_ns = 0;
};

// Runs a graph: threads make their calls one after the other and wait where they did, tasks start
// when their edges and their engine let them, and keep the latency that they were seen to have.
// Of a graph that was not changed it yields the recorded times. Delays that nothing explains stay
// with their task, whatever a fix changes.
//
// The model, and what it leaves out:
//  - An exclusive engine takes tasks in the order in which they become ready. Copies between host
//    and device go slower while both directions run, by the factor that the graph has.
//  - Kernels start, by priority and in the order in which they become ready, when their first
//    block finds room beside those that run. With all their blocks they then share the throughput
//    of the multiprocessors (SharedThroughput); bandwidth and caches are not in this model, and a
//    kernel's first blocks, while the others wait for room, take nothing from others.
//  - What the last wave of a kernel leaves to others (SmUse::spare), where no other one was seen to
//    wait for it, is nothing at the one end of what is known (Sharing::most), and all of it at the
//    other: those that wait then find room so much sooner. A small one might with the last wave.
//  - The kernels of a collective begin their work when the last of them has started.
//  - Time between the calls of a thread stays as it was.
// Takes n log(tasks in flight) for n tasks and calls, and some 50 bytes for each task and 60 for
// each call.
Replayed replay(const Graph& graph);

// Like replay(), without the times of the steps.
Replayed replay_tasks(const Graph& graph);

// The graph of a run that went as it was replayed, to find what delays its tasks then: the next
// bottleneck after a fix. What a fix took away stays away.
Graph rebased(Graph graph, const Times& times);

}  // namespace lapscope::analyzer
