#pragma once

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
#include "analyzer/model/host_states.h"
#include "analyzer/model/messages.h"
#include "analyzer/model/names.h"
#include "analyzer/model/ops.h"
#include "analyzer/model/stacks.h"
#include "analyzer/model/synchronization.h"

namespace lapscope::analyzer {

// One NVTX range of the host. A range that was never closed ends where the trace does.
struct NvtxRange {
  static constexpr std::uint32_t domains = 0x7FFFFFFF;  // more than a file can have rows

  Interval interval;
  std::int64_t global_tid = 0;       // the thread that opened it
  std::uint32_t name = 0;            // in Trace::names
  std::uint32_t domain : 31 = 0;     // 0 is the default one; others in the order of their ids
  bool is_process_wide : 1 = false;  // a start/end range, which belongs to no thread
};

using NvtxRanges = std::vector<NvtxRange>;  // by start; of equal starts the longer first

// The stream, reported by a callback, of a call that enqueued a host function or launched a graph.
struct CallStream {
  std::uint32_t call = 0;                  // in Trace::calls
  std::uint32_t stream = no_index;         // id in the process; no_index when not known
  bool is_captured = false;                // the stream was being captured: nothing was enqueued
  std::optional<std::int64_t> graph = {};  // the executable graph that was launched, where known
};

// One edge of a graph, or its end.
struct NodeDependency {
  std::uint64_t node = 0;  // the node that waits: OpNode::node
  std::uint64_t on = 0;    // the node that it waits for
  Ns time = 0;             // when it was made
  bool is_removed = false;
};

// What graphs are made of. Ids of nodes belong to one process; traces that hold several processes
// have the graphs of one at most.
struct Topology {
  std::vector<std::uint64_t> nodes;           // those whose dependencies are all known, by id
  std::vector<std::uint64_t> host_functions;  // those of them that call back to the host, by id
  std::vector<NodeDependency> dependencies;   // by node and time
};

// What a node depends on at a time: edges may be taken away and others made between launches.
std::vector<std::uint64_t> dependencies(const Topology& topology, std::uint64_t node, Ns when);

// 104 days: beyond it a time is a defect of the trace, and every double of this size is still
// exact.
inline constexpr Ns latest_time = Ns{1} << 53;

// Whether an activity or call can have run from `start` to `end`.
constexpr bool believable(Ns start, Ns end) {
  return 0 <= start && start <= end && end <= latest_time;
}

enum class StreamKind { unknown, blocking, non_blocking, legacy_default };

std::string_view name_of(StreamKind kind);

// A stream is known by its process and its id: ids are unique in a process only.
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
  std::uint32_t null_stream = no_index;  // id in the process of its legacy default stream
};

// Limits of a GPU on how much runs at once. 0 where the trace does not have them.
struct DeviceLimits {
  std::int64_t multiprocessors = 0;
  std::int64_t threads_per_warp = 0;
  std::int64_t warps_per_multiprocessor = 0;
  std::int64_t blocks_per_multiprocessor = 0;
  std::int64_t registers_per_multiprocessor = 0;
  Bytes shared_memory_per_multiprocessor = 0;
  // Copies that can run at once. With one, copies to the device and to the host take turns.
  std::int64_t copy_engines = 0;

  friend bool operator==(const DeviceLimits&, const DeviceLimits&) = default;
};

// What a device's links carry in one direction at most, in bytes per second.
struct LinkRates {
  std::optional<std::int64_t> host;
  std::optional<std::int64_t> peer;  // when all its links to other GPUs carry the same
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

// What a part of TraceFacts::identity begins with.
inline constexpr std::string_view session_start_words = "session start ";

// Who recorded what, where. Empty strings where the trace does not have it.
struct TraceFacts {
  std::string file;
  std::string format;  // "lapscope/1", "nsys/3.24.14" or "kineto/1"
  std::string command;
  std::string created;  // UTC, ISO 8601
  std::string driver;
  std::string cupti;
  std::string recorder;  // tool and version
  std::string rank;      // of the process, in a program of several
  int ranks = 0;         // of that program; 0 when not known
  std::string host;      // on which it ran
  Ns session_start = 0;  // from which times count: UTC; 0 when not known
  int processors = 0;    // that the process could use; 0 when not known
  // Distinguishes this run from all others; empty when the trace does not have it. One or both of:
  // session, host, process and second, which runs of one command have but once; and
  // session_start_words with the nanosecond.
  std::string identity;
  // Kinds of records that are in the trace if the program gave cause for any, by CUPTI's names as
  // "CUDA_EVENT", and "hardware channels". Of other kinds, absence says nothing.
  std::vector<std::string> recorded;
  // Kinds that the program gave no cause for, as far as the rest of the trace shows: that they are
  // not recorded hides nothing. See evidence.h.
  std::vector<std::string> without_cause;
  Capabilities knows;  // of the format
  Lacks lacks;         // likewise
};

// What the host took in one of the runs that `record --bare` made in turn, without CUPTI and
// recorded: for the program, or for all NVTX ranges of one text.
struct RunTime {
  std::int64_t run = 0;  // from 1
  bool is_recorded = false;
  std::int64_t exit_status = 0;
  std::optional<std::string> range;  // nothing: the program
  std::int64_t count = 0;            // ranges
  Ns ns = 0;                         // all of them added up
};

// What recording adds to calls, and to what else it makes longer, as a calibration of the machine
// found. Kinds are those of collector/schema/call_cost_kinds.h.
struct CallCosts {
  std::string created;                        // UTC, ISO 8601
  std::map<std::string, Ns, std::less<>> ns;  // none: not calibrated
  // Half of what the calibration found in its rounds lies in a range of this length.
  std::map<std::string, Ns, std::less<>> spread_ns = {};
  // For a copy that was fitted to bare runs: what all times were multiplied by.
  std::optional<double> factor = {};

  bool empty() const { return ns.empty(); }
  Ns of(std::string_view kind) const {
    const auto found = ns.find(kind);
    return found == ns.end() ? 0 : found->second;
  }
};

// An op whose times cannot be right: it is in no device's columns.
struct ImpossibleOp {
  std::int64_t device = 0;        // id
  std::uint32_t call = no_index;  // that issued it
  Interval may_have_run;          // somewhere in it
};

// Pages of managed memory on their way: between host and device, or between devices. No op of a
// stream: it is part of what waits for the pages.
struct Migration {
  enum class Direction : std::uint8_t { to_device, to_host, between_devices };
  std::int64_t device = 0;  // id, of the one that receives or gives them up
  Interval interval;
  Bytes bytes = 0;
  std::optional<std::int64_t> address = {};  // of the first page
  Direction direction = Direction::to_device;
};

// Page faults of a device on managed memory, while the driver handles them: what has touched the
// page waits.
struct DeviceFault {
  std::int64_t device = 0;  // id
  Interval interval;
  std::int64_t count = 1;  // faults on that page
};

// A page fault of the host on managed memory. Recorders report when it began; when the thread went
// on is known from what moved the page to the host.
struct HostFault {
  Interval interval;           // empty where no migration is known to have ended it
  std::uint32_t function = 0;  // in Trace::names, that touched the page
};

struct Trace {
  TraceFacts facts;
  // Environment variables of the program that change what CUDA does, as CUDA_LAUNCH_BLOCKING or
  // CUDA_DEVICE_MAX_CONNECTIONS: those of LAPSCOPE_ENVIRONMENT that were set.
  std::map<std::string, std::string, std::less<>> settings;
  std::vector<Device> devices;               // those with ops, by id
  std::vector<ImpossibleOp> impossible_ops;  // by device
  std::vector<Migration> migrations;         // by start
  std::vector<DeviceFault> device_faults;    // by start
  std::vector<HostFault> host_faults;        // by start
  std::vector<CudaContext> contexts;         // of all devices, by process and id
  Names names;
  Calls calls;
  // Both by start of the call. Records whose call is not in the trace are not here either.
  std::vector<Synchronization> synchronizations;
  std::vector<EventRecord> event_records;
  std::vector<CallStream> call_streams;  // by call; of each call once
  Topology topology;
  Overheads overheads;
  HostStates host_states;
  HostSamples host_samples;
  NvtxRanges ranges;
  Messages messages;                                        // none where no payloads are recorded
  std::vector<Communicator> communicators;                  // by id and rank, where known
  CallStacks stacks;                                        // none where the trace has none
  std::map<std::string, CodeFile, std::less<>> code_files;  // of its frames, by Frame::module
  std::vector<RunTime> runs;                                // none where no bare runs were made
  CallCosts call_costs;
  std::vector<HealthRow> health;
};

// What is known of a call's stream; null when nothing is.
const CallStream* stream_of_call(const Trace& trace, std::uint32_t call);

// What is recorded of the communication of a call's kernel; empty for no_index.
std::span<const Message> messages_of(const Trace& trace, std::uint32_t call);

// What an op is called: a kernel's name, or as "copy h2d", "copy peer", "memset".
std::string name_of_op(const Trace& trace, const Device& device, std::uint32_t op);

// A function of CUDA without the version that CUPTI appends: cudaMemcpyAsync of
// cudaMemcpyAsync_v3020, cuMemAlloc_v2 as it is, for that is its name.
std::string function_name(std::string_view recorded);

}  // namespace lapscope::analyzer
