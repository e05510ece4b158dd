#pragma once

#include <cstdint>
#include <iterator>
#include <optional>
#include <type_traits>
#include <variant>

// What CUPTI's callbacks report: what no activity record contains, and what records would report at
// a higher cost. Small and trivially copyable: an event is made in the program's own threads, in
// the middle of their CUDA calls.
namespace lapscope::callbacks {

// A sort of events, as it is enabled and counted.
enum class Source : std::uint8_t {
  host_functions,
  graph_launches,
  stream_memory_ops,
  graph_nodes,
  launch_attributes,
  capture_range,
  synchronization,  // in the place of CUPTI's records of this name, as the next
  cuda_events,
  cpu_times,
  host_samples,  // of a thread of the collector's
  none,          // not counted
};

// The API call that a callback came from, and the stream among its arguments.
struct StreamCall {
  std::uint32_t correlation = 0;
  std::uint32_t thread = 0;   // system thread id
  std::uint32_t context = 0;  // current to the thread, not necessarily the stream's; 0: none
  std::optional<std::uint32_t> stream;  // nothing if CUPTI does not know it
  // The stream was being captured: the call made this graph node and enqueued nothing.
  std::optional<std::uint64_t> captured_node;
};

// cudaLaunchHostFunc, cudaStreamAddCallback.
struct HostFunction {
  StreamCall call;
  const void* function = nullptr;
};

struct GraphLaunch {
  StreamCall call;
  std::optional<std::uint32_t> graph;  // the executable graph, as in the records of its ops
};

// cuStreamWaitValue32 and its like: the stream waits for a word of memory, or writes one.
struct StreamMemoryOp {
  enum class Operation : std::uint8_t { wait, write, batch };
  StreamCall call;
  Operation operation = Operation::wait;
  std::uint64_t address = 0;  // of the word; of a batch, the number of operations
};

// A launch of a kernel with attributes that change when it or its successors may start.
struct LaunchAttributes {
  StreamCall call;
  bool programmatic_serialization = false;
  bool programmatic_event = false;
  bool launch_completion_event = false;
  std::optional<std::int32_t> priority;  // of this launch alone
};

struct GraphNode {
  std::uint64_t time = 0;    // CUPTI's clock
  std::uint32_t thread = 0;  // system thread id
  std::optional<std::uint32_t> graph;
  std::uint64_t node = 0;
  std::optional<std::uint64_t> original;  // the node that it is a clone of
  std::uint32_t type = 0;                 // CUgraphNodeType
};

struct GraphEdge {
  std::uint64_t time = 0;
  std::optional<std::uint32_t> graph;
  std::uint64_t node = 0;
  std::uint64_t dependency = 0;
  bool removed = false;
};

// cudaProfilerStart, cudaProfilerStop.
struct ProfilerSwitch {
  std::uint64_t time = 0;  // CUPTI's clock, at the begin of the start or the end of the stop
  bool on = false;
};

// A wait that the program asked for, or a query of what it might wait for.
struct Wait {
  enum class Kind : std::uint8_t { event = 1, stream_wait_event, stream, context };  // CUPTI's
  std::uint64_t begin = 0;  // CUPTI's clock
  std::uint64_t end = 0;
  std::uint64_t event = 0;  // its handle; 0: none
  std::uint32_t correlation = 0;
  std::uint32_t context = 0;            // as in StreamCall
  std::optional<std::uint32_t> stream;  // that waits, or is waited for
  std::int32_t result = 0;
  Kind kind = Kind::context;
  bool is_captured = false;  // the stream was being captured: nothing waits now
};

// cudaEventRecord.
struct EventRecord {
  std::uint64_t event = 0;  // its handle
  std::uint32_t correlation = 0;
  std::uint32_t context = 0;            // as in StreamCall
  std::optional<std::uint32_t> stream;  // nothing if CUPTI does not know it
  bool is_captured = false;             // the stream was being captured: nothing is recorded now
};

// A CUDA event that has just been made. Its handle may have been another's before.
struct NewEvent {
  std::uint64_t event = 0;    // its handle
  std::uint32_t context = 0;  // 0: none
};

// A kind of activity records that could be enabled only now that there is a context.
struct EnabledKind {
  std::int32_t kind = 0;    // CUpti_ActivityKind
  std::int32_t result = 0;  // CUptiResult
};

// The end of an NVTX range that was open when the recording began.
struct EarlyRangeEnd {
  std::uint64_t time = 0;    // ns, UTC
  std::uint32_t thread = 0;  // system thread id
  std::int64_t range = 0;    // as in nvtx::EarlyRanges::Range
};

// How long a thread has been on a processor since it began, by CLOCK_THREAD_CPUTIME_ID.
struct CpuTime {
  std::uint64_t time = 0;    // CUPTI's clock
  std::uint32_t thread = 0;  // system thread id
  std::int64_t on_cpu = 0;   // ns
};

// What a thread does. The values are those of ENUM_LAPSCOPE_THREAD_STATE.
enum class ThreadState : std::uint8_t {
  unknown,
  running,
  lock,
  interpreter_lock,
  reading,
  polling,
  sleeping,
  child,
  uninterruptible,
  driver,
  other,
  garbage_collection,
};

// What a thread was seen to do.
struct HostSample {
  std::uint64_t time = 0;         // ns, UTC
  std::int64_t on_cpu = -1;       // ns since it began; -1: not known
  std::int64_t runnable = -1;     // ns, likewise, that it was ready and had no processor
  std::uint32_t thread = 0;       // system thread id
  std::uint32_t holder = 0;       // of what it waits for, likewise; 0: not known
  std::uint32_t chain = 0;        // of stacks::CallStacks; 0: none
  std::int32_t system_call = -1;  // -1: none
  ThreadState state = ThreadState::unknown;
};

// Collections of garbage of Python that have ended between two looks.
struct Collections {
  std::uint64_t after = 0;  // ns, UTC: of the look that has not seen them
  std::uint64_t by = 0;     // of the one that has
  std::uint64_t begin = 0;  // of a single one, where the interpreter has kept that; 0: it has not
  std::uint64_t end = 0;
  std::int64_t count = 0;
  std::uint8_t generation = 0;
};

using Event = std::variant<HostFunction, GraphLaunch, StreamMemoryOp, LaunchAttributes, GraphNode,
                           GraphEdge, ProfilerSwitch, Wait, EventRecord, NewEvent, EnabledKind,
                           EarlyRangeEnd, CpuTime, HostSample, Collections>;
static_assert(std::is_trivially_copyable_v<Event>);

constexpr Source source_of(const Event& event) {
  constexpr Source sources[] = {Source::host_functions,
                                Source::graph_launches,
                                Source::stream_memory_ops,
                                Source::launch_attributes,
                                Source::graph_nodes,
                                Source::graph_nodes,
                                Source::capture_range,
                                Source::synchronization,
                                Source::cuda_events,
                                Source::none,
                                Source::none,
                                Source::none,
                                Source::cpu_times,
                                Source::host_samples,
                                Source::none};
  static_assert(std::variant_size_v<Event> == std::size(sources));
  return sources[event.index()];
}

}  // namespace lapscope::callbacks
