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

// Splits the work of a stream over several streams, so that an op waits only for ops that it may
// need.
//
// The work of a stream is divided into chains. A chain begins with copies that bring data to a
// device (copies in). A graph launch begins a chain if the launch right before it launched another
// executable graph. Each thread has its own chains, but threads that take turns share theirs: for
// example, a training loop and its backward pass. Communication has its own chains. A communication
// kernel waits for the latest other task of its thread in its stream, because this task may have
// made the kernel's data.
//
//   stream 1   HHH KKK DDD HHH KKK DDD      each chain is H K D (copy in, kernel, copy out);
//   becomes    HHH KKK DDD                  with a depth of 2, the second chain runs beside the
//                  HHH KKK DDD              first, and a third one would run after the first
//
// With `independence`, a chain begins only where the trace shows that its ops need nothing from the
// ops before the chain. If the trace shows this only for the copies in, the other ops of the chain
// wait for the previous chain:
//
//   stream 1   HHH KKKKK HHH KKKKK
//   becomes    HHH KKKKK
//                  HHH   KKKKK
//
// Consecutive copies to the host are a group of copies out. The trace may show that the ops behind
// group n do not need this group. In this case, these ops wait only for group n - 1, as if the
// program had two buffers:
//
//   stream 1   KKK DDDD KKK DDDD
//   becomes    KKK      KKK
//                  DDDD     DDDD
//
// Without `independence`, consecutive kernels whose order is open (OpenOrder) run side by side:
//
//   stream 1   AAA KKK KKK KKK BBB
//   becomes    AAA KKK         BBB
//                  KKK
//                      KKK                  with a depth of 2
class Chains {
 public:
  // At most `depth` chains run side by side. `independence` is the evidence in the trace, or null.
  Chains(const Trace& trace, const Graph& graph, std::uint32_t depth,
         const Independence* independence);

  // The position of a task or of a graph launch among the chains of its stream.
  struct Place {
    std::uint32_t stream = 0;           // the stream that it was issued to
    std::vector<std::uint32_t> behind;  // tasks that it waits for
    // The last tasks of its chain and of the chains that run beside it, and the latest copy out.
    std::vector<std::uint32_t> beside;
    std::uint32_t computed = no_index;  // for communication: the task that may have made its data
    bool is_apart = false;  // whether it waits for only some of the tasks ahead of it in the stream
  };

  // pass_launch() returns the place of a graph launch, and must be called once for each launch.
  // pass_task() returns the place of a task, and must be called once for each task outside graph
  // launches. The calls must be in the order of Graph::tasks. The returned reference is valid until
  // the next call of either function.
  const Place& pass_task(std::uint32_t t);

  // CUDA never runs one executable graph twice at the same time. So a launch also waits for the
  // previous launch of its executable graph, in any stream. If the executable graph is not known,
  // the launch waits for the previous launch of its thread in its stream.
  const Place& pass_launch(const Step& launch);

 private:
  struct Lane {
    std::uint32_t last = no_index;
    std::uint32_t needed = no_index;      // the next task that is not a copy in waits for this task
    std::uint32_t copied_out = no_index;  // the latest copy out
    bool has_left = false;                // whether the latest op is a copy out
    Launched launch = {};                 // the latest launch; empty if a task came after it
    std::uint32_t launched = no_index;    // the last task of the latest launch
    // By chain: its last task, or the kernels that run side by side at its end.
    std::vector<std::vector<std::uint32_t>> ends;
    std::vector<std::uint32_t> row_behind;  // the kernels in ends.back() wait for these tasks
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
  std::map<std::int64_t, std::int64_t> first_of_;  // by global tid: see first_of_turns()
  std::map<Key, Lane> lanes_;
  // By executable graph: the last task of its latest launch.
  std::unordered_map<std::uint64_t, std::uint32_t> of_graph_;
  Place place_;
};

}  // namespace lapscope::analyzer
