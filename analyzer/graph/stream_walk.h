#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "analyzer/graph/launched_graphs.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// Something that the host did which concerns the order of tasks.
enum class CommandKind : std::uint8_t { task, wait_event, record_event, step };

struct Command {
  Ns time = 0;              // start of its call
  std::uint32_t index = 0;  // in Issued::tasks, Trace::synchronizations, Trace::event_records, or
                            // HostSteps::steps
  CommandKind kind = CommandKind::task;
};

// What the next thing in a stream has to wait for.
struct Front {
  // The task before it in the stream, or of a graph launch those that end it, in whatever streams
  // they ran.
  std::vector<std::uint32_t> last;
  std::vector<std::uint32_t> awaited;  // because of cudaStreamWaitEvent
  std::vector<std::uint32_t> barrier;  // because this or the other is the legacy default stream
};

// The state of all streams while the commands are gone through in the order of their issue.
//
// A task counts in the stream that it was issued to. Nodes of a graph launch count in the one that
// the graph was launched to, though branches run in streams of CUDA's own.
//
// The legacy default stream and the blocking streams of its context: what is put into the one waits
// for all that is in the others by then: kernels, copies, cudaStreamWaitEvent and cudaEventRecord
// alike (measured on an H200, driver 580.159.04; the documentation names kernels and waits). A
// stream into which nothing was put has nothing to wait for, whatever the legacy stream does.
class Walk {
 public:
  Walk(const Trace& trace, const Issued& program, const Times& times);

  const Trace& trace() const { return trace_; }
  const Issued& program() const { return program_; }
  const Times& times() const { return times_; }

  // The stream that a task counts in.
  std::uint32_t stream_of_task(std::uint32_t task) const { return counts_in_[task]; }
  // The last tasks of a stream so far, as in Front::last.
  const std::vector<std::uint32_t>& last_of(std::uint32_t stream) const {
    return streams_[stream].front.last;
  }
  Front front_of(std::uint32_t stream) const;
  // All of a front together: what has to end until the next thing in a stream may start. An event
  // that is recorded there now stands for it.
  std::vector<std::uint32_t> ends_of(std::uint32_t stream) const;
  // What has to end until all is done that is in a stream so far: who waits for the stream waits
  // for it. Of the legacy stream that is the blocking streams' work, too.
  std::vector<std::uint32_t> work_of(std::uint32_t stream) const;
  // What a cudaEventRecord stands for. Empty when the event is not known.
  const std::vector<std::uint32_t>& recorded(std::uint32_t pid, std::uint32_t event_sync) const;

  // In Issued::streams; no_index when no task of the graph is in it.
  std::uint32_t stream_of(std::uint32_t pid, std::uint32_t id) const { return by_id_.of(pid, id); }
  // Streams of a context.
  const std::vector<std::uint32_t>& streams_of(std::uint32_t pid, std::uint32_t context) const;
  // Contexts of a process, and one of them, as numbers that last_used() knows.
  const std::vector<std::uint32_t>& contexts_of(std::uint32_t pid) const;
  std::uint32_t context_of(std::uint32_t pid, std::uint32_t context) const;  // or no_index
  // Streams of a context that got a task or a wait after now() was `since`, the latest first.
  std::vector<std::uint32_t> used_since(std::uint32_t context, std::uint64_t since) const;
  std::uint64_t now() const { return now_; }

  // Only the last task of each stream matters, or the tasks of the last graph launch: leaves these,
  // in the order of their issue.
  void keep_latest(std::vector<std::uint32_t>& tasks) const;

  // A task is dealt with between these two. Nodes of one graph launch come one after the other.
  void begin_task(std::uint32_t task);
  void pass_task(std::uint32_t task);
  // What the task that was begun has to wait for; the same for all nodes of a graph launch.
  const Front& front() const { return front_; }
  // Whether it waits for that itself: it is no node behind others of its launch.
  bool is_root() const { return is_root_; }
  // Whether it is a node of a graph whose edges the trace has; and which nodes it waits for then.
  bool knows_edges() const { return is_known_; }
  const std::vector<std::uint32_t>& needed() const { return needed_; }

  void pass_wait(const Synchronization& wait);
  void pass_record(const EventRecord& record);

 private:
  struct StreamState {
    Front front;
    std::uint32_t context = 0;        // in contexts_
    std::uint32_t seen_version = 0;   // of its context's legacy stream, as far as in `front`
    bool is_dirty = false;            // the legacy stream has not waited for what it got last
    std::uint64_t used = 0;           // now() when it got something last
    std::uint32_t before = no_index;  // in the order of use in its context
    std::uint32_t after = no_index;
  };
  struct ContextState {
    std::vector<std::uint32_t> streams;
    std::vector<std::uint32_t> legacy;  // its legacy default stream; a damaged trace may have more
    std::uint32_t version = 0;          // goes up with all that is put into that one
    std::vector<std::uint32_t> dirty;   // blocking streams
    std::uint32_t latest = no_index;    // the stream that was used last
  };
  static std::uint64_t key(std::uint32_t high, std::uint32_t low) {
    return std::uint64_t{high} << 32 | low;
  }
  void add_streams();
  std::vector<std::uint32_t> barrier_of(std::uint32_t stream) const;
  // A task, or the first one of the graph launch that it is a node of.
  std::uint32_t unit_of(std::uint32_t task) const;
  void look_at_node(std::uint32_t task);
  void put_into(std::uint32_t stream);
  void mark_used(std::uint32_t stream);

  const Trace& trace_;
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
  Ns first_end_ = 0;                           // of its nodes so far
  mutable std::vector<std::uint32_t> latest_;  // by stream; used within keep_latest() only
};

// All commands of a program's interval, in the order of their issue.
// `issued_at` by task.
std::vector<Command> commands_of(const Trace& trace, const Issued& program, const Times& times,
                                 const std::vector<Ns>& issued_at);

}  // namespace lapscope::analyzer
