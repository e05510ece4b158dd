#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/intervals/units.h"
#include "analyzer/model/calls.h"
#include "analyzer/model/capabilities.h"
#include "analyzer/model/health.h"
#include "analyzer/model/host_samples.h"
#include "analyzer/model/messages.h"
#include "analyzer/model/names.h"
#include "analyzer/model/ops.h"
#include "analyzer/model/stacks.h"
#include "analyzer/model/synchronization.h"

namespace lapscope::analyzer {

// What a thread did between its CUDA calls, from a record that does not come from CUPTI.
struct HostState {
  enum class Kind : std::uint8_t {
    os_call,      // in a function of the operating system's library: poll, pthread_mutex_lock
    mpi_call,     // in a function of MPI
    not_running,  // off the processor
    sample,       // in this function at one instant; its length is 0
  };
  Kind kind = Kind::os_call;
  std::uint32_t name = 0;  // in Trace::names; not used for not_running
  Interval interval;
};

// The states of each thread of Trace::calls, sorted by start. Empty if the trace has no states.
using HostStates = std::vector<std::vector<HostState>>;

// An NVTX range of the host. A range that was never closed ends with the trace.
struct NvtxRange {
  static constexpr std::uint32_t domains = 0x7FFFFFFF;  // mask for `domain`, which has 31 bits

  Interval interval;
  std::int64_t global_tid = 0;       // the thread that opened the range
  std::uint32_t name = 0;            // in Trace::names
  std::uint32_t domain : 31 = 0;     // 0: the default one; others in the order of their ids
  bool is_process_wide : 1 = false;  // a start/end range, which belongs to no thread
};

using NvtxRanges = std::vector<NvtxRange>;  // by start; of equal starts the longer first

// The stream of a call that enqueued a host function or launched a graph, from a CUPTI callback.
struct CallStream {
  std::uint32_t call = 0;                  // in Trace::calls
  std::uint32_t stream = no_index;         // id in the process; no_index when not known
  bool is_captured = false;                // the stream was being captured: nothing was enqueued
  std::optional<std::int64_t> graph = {};  // the executable graph that was launched, where known
};

// An edge that was added to a graph, or removed from it.
struct NodeDependency {
  std::uint64_t node = 0;  // the node that waits: OpNode::node
  std::uint64_t on = 0;    // the node that it waits for
  Ns time = 0;             // time at which the edge was added or removed
  bool is_removed = false;
};

// The nodes and edges of graphs. A trace of several processes contains the graphs of at most one
// process, because ids of nodes are unique only within a process.
struct Topology {
  std::vector<std::uint64_t> nodes;           // those whose dependencies are all known, by id
  std::vector<std::uint64_t> host_functions;  // the host functions among these nodes, by id
  std::vector<NodeDependency> dependencies;   // by node and time
};

// Returns the nodes that a node depends on at `when`. Edges may change between launches.
std::vector<std::uint64_t> dependencies(const Topology& topology, std::uint64_t node, Ns when);

// The latest believable time: 104 days. A later time is a defect of the trace. A double represents
// all integers up to this time exactly.
inline constexpr Ns latest_time = Ns{1} << 53;

// Whether an activity or call can have run from `start` to `end`.
constexpr bool believable(Ns start, Ns end) {
  return 0 <= start && start <= end && end <= latest_time;
}

enum class StreamKind { unknown, blocking, non_blocking, legacy_default };

std::string_view name_of(StreamKind kind);

// A stream is identified by its process and its id. Ids are unique only within a process.
struct Stream {
  std::uint32_t pid = 0;
  std::uint32_t id = 0;
  std::uint32_t context = 0;
  StreamKind kind = StreamKind::unknown;
  std::optional<std::int64_t> priority;  // lower numbers go first
};

struct CudaContext {
  std::uint32_t pid = 0;
  std::uint32_t id = 0;  // unique in the process
  std::int64_t device = 0;
  std::uint32_t null_stream = no_index;  // id of the context's legacy default stream
};

// Limits of a GPU on how much runs at once. 0 where the trace does not have them.
struct DeviceLimits {
  std::int64_t multiprocessors = 0;
  std::int64_t threads_per_warp = 0;
  std::int64_t warps_per_multiprocessor = 0;
  std::int64_t blocks_per_multiprocessor = 0;
  std::int64_t registers_per_multiprocessor = 0;
  Bytes shared_memory_per_multiprocessor = 0;
  // How many copies can run at once. If it is 1, copies in opposite directions take turns.
  std::int64_t copy_engines = 0;

  friend bool operator==(const DeviceLimits&, const DeviceLimits&) = default;
};

// The highest rate of a device's links in one direction, in bytes per second.
struct LinkRates {
  std::optional<std::int64_t> host;
  std::optional<std::int64_t> peer;  // if all its links to other GPUs have the same rate
};

// A GPU as a trace describes it.
struct Gpu {
  std::string name;
  DeviceLimits limits;
  LinkRates links;
};

struct Device {
  std::int64_t id = 0;
  std::string name;  // empty when the trace does not have it
  Ops ops;
  std::vector<Stream> streams;  // of the device's contexts, with ops or without, by process and id
  DeviceLimits limits;
  LinkRates links;
};

// The words that stand in front of the session start in TraceFacts::identity.
inline constexpr std::string_view session_start_words = "session start ";

// The recorder, the recorded program and the machine. A string is empty if its fact is not known.
struct TraceFacts {
  std::string file;
  std::string format;  // "lapscope/1", "nsys/3.24.14" or "kineto/1"
  std::string command;
  std::string created;  // UTC, ISO 8601
  std::string driver;
  std::string cupti;
  std::string recorder;  // tool and version
  std::string rank;      // of the process, in a program of several processes
  int ranks = 0;         // the number of ranks of the program; 0: not known
  std::string host;      // the machine on which the program ran
  Ns session_start = 0;  // UTC, in ns; all times count from it; 0: not known
  Ns booted = 0;         // when the machine started, by its clocks: UTC, in ns; 0: not known
  int processors = 0;    // that the process could use; 0: not known
  // Distinguishes this run from all other runs. Empty if not known. The text has one or both of the
  // parts below. At least one part differs between any two runs of a command:
  // - the session, host, process and second,
  // - session_start_words with the session start in ns.
  std::string identity;
  // The kinds of records that are complete: the trace has all that the program caused. An element
  // is CUPTI's name of a kind, such as "CUDA_EVENT", or hardware_channels (evidence.h).
  std::vector<std::string> recorded;
  bool has_all(std::string_view kind) const { return std::ranges::count(recorded, kind) > 0; }
  // The kinds of which the program caused no records (kinds_without_cause()). A trace can be
  // complete without records of these kinds.
  std::vector<std::string> without_cause;
  Capabilities knows;  // of the format
  Lacks lacks;         // of the format
};

// A time of one run that `record --bare` made, by the host's clock. If `range` is set, it is the
// time in which at least one NVTX range with this text was open. Otherwise, it is the time of the
// whole program.
struct RunTime {
  std::int64_t run = 0;      // from 1
  bool is_recorded = false;  // false: the run was made without CUPTI
  std::int64_t exit_status = 0;
  std::optional<std::string> range;  // the text of the ranges; empty: the program
  std::int64_t count = 0;            // the number of ranges
  Ns ns = 0;
};

// The last iterations of an armed process before its capture (docs/ctl.md), without CUPTI.
struct UnrecordedIterations {
  std::string range;   // text of the NVTX range that each iteration opens
  std::vector<Ns> ns;  // from open to close, on the host
};

// The time that recording adds to calls and to other work, from a calibration of the machine.
// collector/schema/call_cost_kinds.h lists the kinds.
struct CallCosts {
  std::string created;                        // UTC, ISO 8601
  std::map<std::string, Ns, std::less<>> ns;  // by kind; empty: not calibrated
  // For each kind, the interquartile range of the costs in the rounds of the calibration.
  std::map<std::string, Ns, std::less<>> spread_ns = {};
  // The factor that fits all costs to bare runs or unrecorded iterations. Empty if not fitted.
  std::optional<double> factor = {};
  // How much the corrected time of iterations (without the costs) exceeds the median time of
  // unrecorded iterations, as a part of that median. Empty if they were not compared.
  std::optional<double> iterations_error = {};

  bool empty() const { return ns.empty(); }
  Ns of(std::string_view kind) const {
    const auto found = ns.find(kind);
    return found == ns.end() ? 0 : found->second;
  }
};

// An op whose times cannot be right. The columns of its device do not contain it.
struct ImpossibleOp {
  std::int64_t device = 0;        // id
  std::uint32_t call = no_index;  // the call that issued it
  Interval may_have_run;          // the op ran somewhere in this interval
};

// A transfer of pages of managed memory, between host and device or between devices. It is not an
// op, but part of the work that waits for the pages.
struct Migration {
  enum class Direction : std::uint8_t { to_device, to_host, between_devices };
  std::int64_t device = 0;  // id of the device that receives or gives up the pages
  Interval interval;
  Bytes bytes = 0;
  std::optional<std::int64_t> address = {};  // of the first page
  Direction direction = Direction::to_device;
};

// Page faults of a device on a page of managed memory. The driver handles them in `interval`. The
// work that touched the page waits until the end of `interval`.
struct DeviceFault {
  std::int64_t device = 0;  // id
  Interval interval;
  std::int64_t count = 1;  // faults on that page
};

// A page fault of the host on managed memory. Recorders report only its begin. The migration of the
// page to the host ends the fault.
struct HostFault {
  Interval interval;           // empty if the migration that ended the fault is not known
  std::uint32_t function = 0;  // the function that touched the page, in Trace::names
};

struct Trace {
  TraceFacts facts;
  // The rows of LAPSCOPE_ENVIRONMENT: environment variables of the program that change the
  // behaviour of CUDA, such as CUDA_LAUNCH_BLOCKING.
  std::map<std::string, std::string, std::less<>> settings;
  std::vector<Device> devices;               // those with ops, by id
  std::vector<ImpossibleOp> impossible_ops;  // by device
  std::vector<Migration> migrations;         // by start
  std::vector<DeviceFault> device_faults;    // by start
  std::vector<HostFault> host_faults;        // by start
  std::vector<CudaContext> contexts;         // of all devices, by process and id
  Names names;
  Calls calls;
  // Sorted by the start of the call. Records of calls that are not in the trace are left out.
  std::vector<Synchronization> synchronizations;
  std::vector<EventRecord> event_records;
  std::vector<CallStream> call_streams;  // by call, each call once
  Topology topology;
  Overheads overheads;
  HostStates host_states;
  HostSamples host_samples;
  NvtxRanges ranges;
  Messages messages;                                        // empty if no payloads are recorded
  std::vector<Communicator> communicators;                  // by id and rank, where known
  CallStacks stacks;                                        // empty if the trace has none
  std::map<std::string, CodeFile, std::less<>> code_files;  // by the text of Frame::module
  std::vector<RunTime> runs;                                // empty if no bare runs were made
  UnrecordedIterations unrecorded;                          // empty unless the process was armed
  CallCosts call_costs;
  std::vector<HealthRow> health;
};

// Returns the record of a call's stream; null if there is none.
const CallStream* stream_of_call(const Trace& trace, std::uint32_t call);

// Returns the messages of the kernel that a call launched; empty for no_index.
std::span<const Message> messages_of(const Trace& trace, std::uint32_t call);

// Returns the displayed name of an op: a kernel's name, or "copy h2d", "copy peer", "memset" etc.
std::string name_of_op(const Trace& trace, const Device& device, std::uint32_t op);

// Returns the name of a CUDA function without the version that CUPTI appends, as in
// cudaMemcpyAsync_v3020. In cuMemAlloc_v2, _v2 belongs to the name.
std::string function_name(std::string_view recorded);

}  // namespace lapscope::analyzer
