#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "analyzer/graph/launched_graphs.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// A host action that affects the order of tasks.
enum class CommandKind : std::uint8_t { task, wait_event, record_event, step };

struct Command {
  Ns time = 0;              // start of its call
  std::uint32_t index = 0;  // in Issued::tasks, Trace::synchronizations, Trace::event_records, or
                            // HostSteps::steps
  CommandKind kind = CommandKind::task;
};

// The tasks that the next operation in a stream must wait for.
struct Front {
  // The previous task of the stream. After a graph launch: the tasks that end the launch, even if
  // they run in other streams.
  std::vector<std::uint32_t> last;
  std::vector<std::uint32_t> awaited;  // because of cudaStreamWaitEvent
  std::vector<std::uint32_t> barrier;  // because one of the streams is the legacy default stream
};

// The state of all streams during a walk through the commands in the order of issue.
//
// A task belongs to the stream to which it was issued. A node of a graph launch belongs to the
// stream of the launch, even if it runs in one of CUDA's internal streams.
//
// The legacy default stream and the blocking streams of its context wait for each other. An
// operation in one of them waits for all earlier work on the other side. This holds for kernels,
// copies, cudaStreamWaitEvent and cudaEventRecord (measured on an H200 with driver 580.159.04; the
// documentation names only kernels and waits). A stream begins to wait only when an operation is
// put into it.
class Walk {
 public:
  Walk(const Trace& trace, const Issued& program, const Times& times);

  const Issued& program() const { return program_; }
  const Times& times() const { return times_; }

  // The stream that a task belongs to.
  std::uint32_t stream_of_task(std::uint32_t task) const { return counts_in_[task]; }
  // The last tasks of a stream so far, as in Front::last.
  const std::vector<std::uint32_t>& last_of(std::uint32_t stream) const {
    return streams_[stream].front.last;
  }
  Front front_of(std::uint32_t stream) const;
  // Returns all tasks of front_of(). The next operation in the stream waits for the ends of these
  // tasks. An event that is recorded now is complete when these tasks have ended.
  std::vector<std::uint32_t> ends_of(std::uint32_t stream) const;
  // Returns the tasks that complete all work of a stream so far. A host thread that synchronizes
  // with the stream waits for them. For the legacy stream, they include work of blocking streams.
  std::vector<std::uint32_t> work_of(std::uint32_t stream) const;
  // Returns the tasks that must end before the event of a cudaEventRecord is complete. Returns an
  // empty list if the walk has not passed this cudaEventRecord.
  const std::vector<std::uint32_t>& recorded(std::uint32_t pid, std::uint32_t event_sync) const;

  // Returns the index in Issued::streams; no_index when the trace does not have the stream.
  std::uint32_t stream_of(std::uint32_t pid, std::uint32_t id) const { return by_id_.of(pid, id); }
  // Returns the streams of a context; empty when the context is not known.
  const std::vector<std::uint32_t>& streams_of(std::uint32_t pid, std::uint32_t context) const;
  // Returns the indices of all contexts of a process. used_since() takes such an index.
  const std::vector<std::uint32_t>& contexts_of(std::uint32_t pid) const;
  // Returns the index of the context with this id; no_index when the context is not known.
  std::uint32_t context_of(std::uint32_t pid, std::uint32_t context) const;
  // Returns the streams of a context that were used after `since`. A stream is used by a task, a
  // wait or an event record. `since` is an earlier result of now(). The stream that was used last
  // comes first.
  std::vector<std::uint32_t> used_since(std::uint32_t context, std::uint64_t since) const;
  std::uint64_t now() const { return now_; }

  // Keeps only the latest of `tasks` in each stream. If this task is a node of a graph launch, also
  // keeps the other nodes of the launch. Sorts `tasks` by issue.
  void keep_latest(std::vector<std::uint32_t>& tasks) const;

  // Call both functions for each task in the order of issue: begin_task() before the constraints
  // examine the task, and pass_task() afterwards. The nodes of one graph launch must come one after
  // the other.
  void begin_task(std::uint32_t task);
  void pass_task(std::uint32_t task);
  // The work that the current task must wait for. It is the same for all nodes of a graph launch.
  const Front& front() const { return front_; }
  // Whether the current task waits for front(). A node behind other nodes of its launch does not.
  bool is_root() const { return is_root_; }
  // Whether the trace has the edges of the current node's graph. If it has, needed() returns the
  // nodes that this node waits for.
  bool knows_edges() const { return is_known_; }
  const std::vector<std::uint32_t>& needed() const { return needed_; }

  void pass_wait(const Synchronization& wait);
  void pass_record(const EventRecord& record);

 private:
  struct StreamState {
    Front front;
    std::uint32_t context = 0;        // in contexts_
    std::uint32_t seen_version = 0;   // ContextState::version that `front` includes
    bool is_dirty = false;            // the legacy stream has not waited for its latest work
    std::uint64_t used = 0;           // now() when the stream was last used
    std::uint32_t before = no_index;  // neighbours in the list of the context's streams by last use
    std::uint32_t after = no_index;
  };
  struct ContextState {
    std::vector<std::uint32_t> streams;
    std::vector<std::uint32_t> legacy;  // its legacy default stream; a damaged trace may have more
    std::uint32_t version = 0;          // increases with each operation in `legacy`
    std::vector<std::uint32_t> dirty;   // blocking streams with is_dirty
    std::uint32_t latest = no_index;    // the stream that was used last
  };
  static std::uint64_t key(std::uint32_t high, std::uint32_t low) {
    return std::uint64_t{high} << 32 | low;
  }
  void add_streams();
  std::vector<std::uint32_t> barrier_of(std::uint32_t stream) const;
  // Returns the first task of the graph launch to which `task` belongs, or `task` itself.
  std::uint32_t unit_of(std::uint32_t task) const;
  void look_at_node(std::uint32_t task);
  void put_into(std::uint32_t stream);
  void mark_used(std::uint32_t stream);

  const Issued& program_;
  const Times& times_;
  LaunchedGraphs launches_;
  std::vector<std::uint32_t> counts_in_;  // by task
  std::vector<StreamState> streams_;
  std::vector<ContextState> contexts_;
  const StreamIndex by_id_;
  std::unordered_map<std::uint64_t, std::uint32_t> context_index_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> contexts_of_process_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> events_;
  std::uint64_t now_ = 0;
  Front front_;
  bool is_root_ = true;
  bool is_known_ = false;
  std::vector<std::uint32_t> needed_;
  std::uint32_t launch_ = no_index;            // the graph launch whose nodes are being passed
  Ns first_end_ = 0;                           // the first end of its nodes so far
  mutable std::vector<std::uint32_t> latest_;  // by stream; used within keep_latest() only
};

// Returns all commands of a program's interval in the order of issue. `issued_at` has the time of
// issue of each task.
std::vector<Command> commands_of(const Trace& trace, const Issued& program, const Times& times,
                                 const std::vector<Ns>& issued_at);

}  // namespace lapscope::analyzer
