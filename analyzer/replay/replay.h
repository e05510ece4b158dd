#pragma once

#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

#include "analyzer/graph/graph.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// The times of the tasks and steps of a graph in a replay.
struct Replayed : Times {
  // The number of tasks that nothing released. These tasks have their recorded times. The number is
  // 0 unless the graph is wrong.
  std::int64_t stuck = 0;
  // The names of the assumptions that were used: Parameters::stand_ins, and assumptions for
  // latencies without an example in the trace.
  std::set<std::string_view> stand_ins;
  // Whether the times depend on something that is not known: what kernels share when they run side
  // by side. With the other bound (MachineParameters::sharing), the times may then differ.
  bool is_in_doubt = false;
  // The time in ns in which kernels ran side by side and it was not known what they share.
  Ns in_doubt_ns = 0;
  // The last waves of kernels may leave room to kernels that waited for them. This is the sum of
  // that room, in ns of work. If it is above 0, the times depend on whether the last waves leave
  // the room.
  Ns last_waves_ns = 0;
};

// Simulates a run of a graph. Threads make their calls one after the other and wait where they
// waited in the recording. A task is released when its edges and its engine allow it, and starts
// after its recorded latency. A graph that was not changed gets the recorded times. A delay that
// nothing explains stays with its task, whatever a fix changes.
//
// The model, and what it leaves out:
// - An exclusive engine takes tasks in the order in which they become ready. While copies between
//   host and device run in both directions, they are slower by the factor of the graph.
// - A kernel starts when its first block finds room beside the running kernels. Of several waiting
//   kernels, the one with the highest priority comes first, then the one that became ready first.
//   Once all its blocks have room, a kernel shares the throughput of the multiprocessors
//   (SharedThroughput). Before that, its first blocks take no throughput from other kernels. The
//   bandwidth of memory and the caches are not in this model.
// - The last wave of a kernel may leave room to other kernels (SmUse::spare). If the trace shows no
//   other kernel that waited for this one, it is not known how much room the last wave leaves. One
//   bound is no room (Sharing::most). The other bound is all of the spare room. With all of the
//   spare room, waiting kernels find room sooner, and a small kernel might start beside the last
//   wave.
// - The kernels of a collective begin their work when the last of them has started.
// - Time between the calls of a thread stays as it was.
//
// The time is proportional to n log(tasks in flight) for n tasks and calls. The memory is about 50
// bytes for each task and 60 bytes for each call.
Replayed replay(const Graph& graph);

// Like replay(), without the times of the steps.
Replayed replay_tasks(const Graph& graph);

// Returns the graph of a run with the times of a replay. This graph shows what delays the tasks in
// the replay. After a fix, this is the next bottleneck. What a fix removed stays removed.
Graph rebased(Graph graph, const Times& times);

}  // namespace lapscope::analyzer
