#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analyzer/graph/graph.h"

namespace lapscope::analyzer {

// Something that the host did which concerns the order of tasks.
enum class CommandKind : std::uint8_t { task, wait_event, record_event, step };

struct Command {
  std::int64_t time = 0;    // start of its call
  std::uint32_t index = 0;  // in Graph::tasks, Trace::synchronizations, Trace::event_records, or
                            // Graph::steps
  CommandKind kind = CommandKind::task;
};

// The state of all streams while the commands are gone through in the order of their issue: what
// the next task of each would have to wait for.
class Walk {
 public:
  Walk(const Trace& trace, const Graph& graph);

  const Trace& trace() const { return trace_; }
  const Graph& graph() const { return graph_; }

  // The last task of a stream so far; no_index when there is none.
  std::uint32_t last_of(std::uint32_t stream) const { return streams_[stream].last; }
  // What the next task of a stream has to wait for because of cudaStreamWaitEvent.
  const std::vector<std::uint32_t>& awaited_by(std::uint32_t stream) const {
    return streams_[stream].awaited;
  }
  // What a cudaEventRecord stands for: the last task of its stream, and what that stream was told
  // to wait for since. Empty when the event is not known.
  const std::vector<std::uint32_t>& recorded(std::uint32_t pid, std::uint32_t event_sync) const;
  // In Graph::streams; no_index when no task of the graph is in it.
  std::uint32_t stream_of(std::uint32_t pid, std::uint32_t id) const;
  // Streams of a context.
  const std::vector<std::uint32_t>& streams_of(std::uint32_t pid, std::uint32_t context) const;

  void pass_task(std::uint32_t task);
  void pass_wait(const Synchronization& wait);
  void pass_record(const EventRecord& record);

 private:
  struct StreamState {
    std::uint32_t last = no_index;
    std::vector<std::uint32_t> awaited;
  };
  static std::uint64_t key(std::uint32_t high, std::uint32_t low) {
    return std::uint64_t{high} << 32 | low;
  }
  void add(std::vector<std::uint32_t>& tasks, std::uint32_t task) const;

  const Trace& trace_;
  const Graph& graph_;
  std::vector<StreamState> streams_;
  std::unordered_map<std::uint64_t, std::uint32_t> stream_index_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_context_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> events_;
};

// All commands of a graph's stretch, in the order of their issue.
std::vector<Command> commands_of(const Trace& trace, const Graph& graph);

}  // namespace lapscope::analyzer
