#pragma once

#include <cstdint>
#include <iterator>
#include <optional>
#include <type_traits>
#include <variant>

// Events that are made in CUPTI's callbacks. Some events have facts that activity records lack.
// Other events replace activity records, because a callback costs the program less time than a
// record. Events are small and trivially copyable, because they are made inside CUDA calls of the
// program.
namespace lapscope::callbacks {

// The groups of events. Events of one group are enabled together and counted together.
enum class Source : std::uint8_t {
  host_functions,
  graph_launches,
  stream_memory_ops,
  graph_nodes,
  launch_attributes,
  capture_range,
  synchronization,  // in place of CUPTI's SYNCHRONIZATION records
  cuda_events,      // in place of CUPTI's CUDA_EVENT records
  cpu_times,
  host_samples,  // made by a thread of the collector
  none,          // not counted
};

// The API call that caused a callback, and the stream that was passed to the call.
struct StreamCall {
  std::uint32_t correlation = 0;
  std::uint32_t thread = 0;   // system thread id
  std::uint32_t context = 0;  // the thread's current context, not always the stream's; 0: none
  std::optional<std::uint32_t> stream;  // nothing if CUPTI does not know it
  // The graph node that the call made instead of issuing work. Set only if the stream was being
  // captured.
  std::optional<std::uint64_t> captured_node;
};

// A call of cudaLaunchHostFunc or cudaStreamAddCallback.
struct HostFunction {
  StreamCall call;
  const void* function = nullptr;
};

struct GraphLaunch {
  StreamCall call;
  std::optional<std::uint32_t> graph;  // the executable graph, as in the records of its ops
};

// A call such as cuStreamWaitValue32 or cuStreamWriteValue32. The stream waits until a word of
// memory has a given value, or writes a value to the word.
struct StreamMemoryOp {
  enum class Operation : std::uint8_t { wait, write, batch };
  StreamCall call;
  Operation operation = Operation::wait;
  std::uint64_t address = 0;  // address of the word; for a batch, the number of operations
};

// A kernel launch whose attributes change the earliest start of this kernel or of later kernels.
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

// A call of cudaProfilerStart or cudaProfilerStop.
struct ProfilerSwitch {
  std::uint64_t time = 0;  // CUPTI's clock: entry of the Start call, exit of the Stop call
  bool on = false;
};

// A call that waits for an event, a stream or a context, or that queries an event or a stream.
struct Wait {
  // The values are those of CUpti_ActivitySynchronizationType.
  enum class Kind : std::uint8_t { event = 1, stream_wait_event, stream, context };
  std::uint64_t begin = 0;  // CUPTI's clock
  std::uint64_t end = 0;
  std::uint64_t event = 0;  // handle of the CUDA event; 0: none
  std::uint32_t correlation = 0;
  std::uint32_t context = 0;            // as in StreamCall
  std::optional<std::uint32_t> stream;  // the stream that waits or is waited for
  std::int32_t result = 0;
  Kind kind = Kind::context;
  bool is_captured = false;  // the stream was being captured: this call did not wait
};

// A call of cudaEventRecord.
struct EventRecord {
  std::uint64_t event = 0;  // handle of the CUDA event
  std::uint32_t correlation = 0;
  std::uint32_t context = 0;            // as in StreamCall
  std::optional<std::uint32_t> stream;  // nothing if CUPTI does not know it
  bool is_captured = false;             // the stream was being captured: the event was not recorded
};

// A CUDA event that has just been created. CUDA reuses the handles of destroyed events.
struct NewEvent {
  std::uint64_t event = 0;    // handle of the CUDA event
  std::uint32_t context = 0;  // 0: none
};

// The result of enabling a kind of activity that requires a CUDA context.
struct EnabledKind {
  std::int32_t kind = 0;    // CUpti_ActivityKind
  std::int32_t result = 0;  // CUptiResult
};

// The end of an NVTX range that began before the recording.
struct EarlyRangeEnd {
  std::uint64_t time = 0;    // ns, UTC
  std::uint32_t thread = 0;  // system thread id
  std::int64_t range = 0;    // as in nvtx::EarlyRanges::Range
};

// The CPU time of a thread since its start, from CLOCK_THREAD_CPUTIME_ID.
struct CpuTime {
  std::uint64_t time = 0;    // CUPTI's clock
  std::uint32_t thread = 0;  // system thread id
  std::int64_t on_cpu = 0;   // ns
};

// The state of a host thread, with the values of ENUM_LAPSCOPE_THREAD_STATE.
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

// The state and the stack of a host thread at one instant.
struct HostSample {
  std::uint64_t time = 0;         // ns, UTC
  std::int64_t on_cpu = -1;       // CPU time since the thread began, in ns; -1: unknown
  std::int64_t runnable = -1;     // time ready without a processor, in ns; -1: unknown
  std::uint32_t thread = 0;       // system thread id
  std::uint32_t holder = 0;       // thread that holds the mutex waited for; 0: unknown
  std::uint32_t chain = 0;        // number of a chain in stacks::CallStacks; 0: none
  std::int32_t system_call = -1;  // number of the system call; -1: none
  ThreadState state = ThreadState::unknown;
};

// Garbage collections of Python that ended between two readings of Python's count of collections.
// The sampler reads this count repeatedly.
struct Collections {
  std::uint64_t after = 0;  // ns, UTC: the last reading without them
  std::uint64_t by = 0;     // ns, UTC: the first reading with them
  std::uint64_t begin = 0;  // ns, UTC; 0 unless this is one collection with known times
  std::uint64_t end = 0;    // as `begin`
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
