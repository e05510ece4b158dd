#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/intervals/units.h"
#include "analyzer/model/calls.h"
#include "analyzer/model/messages.h"
#include "analyzer/model/names.h"
#include "analyzer/model/progress.h"
#include "analyzer/model/synchronization.h"
#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"
#include "readers/tables/forward_lines.h"
#include "readers/tables/issue_index.h"
#include "readers/tables/row_limit.h"

namespace lapscope::analyzer {

struct StackOfCall {
  std::uint32_t call = 0;
  std::int64_t chain = 0;  // CUDA_CALLCHAINS.id
  Ns ns = 0;               // time that recording the stack took; 0 if not known
};

struct ReadCalls {
  Calls calls;
  std::vector<StackOfCall> stacks;
  IssueIndex issues;
  std::int64_t invalid = 0;         // calls left out because their times are impossible
  std::int64_t without_thread = 0;  // calls left out because of an invalid thread or correlation id
  std::int64_t impossible = 0;      // calls left out because they contradict other calls
  std::int64_t rows = 0;
  // The number of calls whose function has another name or callback id in an earlier row.
  std::int64_t misnamed = 0;
};

// Reads the API calls of all threads. Uses at most 40 bytes per call while reading.
//
// If the end of the recording is known, leaves out calls that end after it. Also leaves out calls
// that contradict other calls of their thread. In a thread, the ids ascend. A call that begins
// inside another call also ends inside that call. As few calls as possible are left out:
//
//   thread  [1 ] [2 ] [4 ] [3 ]  [5         ]
//                                   [6 ] [7   ]
//
// - 4 and 3 are out of order: one of them is left out;
// - 7 begins inside 5 and ends after it: 5 is left out.
ReadCalls read_calls(schema::Database& database, const Names& names,
                     std::optional<Ns> recording_end, Progress* progress);

// Returns the stream of each host function and graph launch whose call is in the trace. Returns
// nothing for traces of other tools and for old traces, because they lack the tables.
std::vector<CallStream> read_call_streams(schema::Database& database, const ReadCalls& calls);

// Reads the nodes and edges of graphs; empty for traces without these tables. Ignores the removals
// of edges during the instantiation of a graph. With these removals, CUDA replaces a copy node, but
// the records of ops still name the original node.
Topology read_topology(schema::Database& database, const Calls& calls);

// Records of synchronization and of events. Both lists are ordered by the start of the call, then
// by the index of the call.
struct ReadSynchronization {
  std::vector<Synchronization> synchronizations;
  std::vector<EventRecord> event_records;
  std::int64_t without_call = 0;  // records of both sorts left out because their call is absent
  // The number of synchronizations in `without_call` whose id lies between ids of recorded calls.
  // The records of their calls were lost.
  std::int64_t lost_calls = 0;
  std::int64_t synchronization_rows = 0;
  std::int64_t event_rows = 0;
  // The number of records that contradict the function of their call. For a synchronization, the
  // function has another SyncKind than the record. For an event record, the function does not
  // record events.
  std::int64_t unlike_their_calls = 0;
};

// Reads records of synchronization and of events. An absent table is read as empty. The values of
// an absent column are unknown. Uses 28 bytes per synchronization and 24 per event record.
ReadSynchronization read_synchronization(schema::Database& database, const Names& names,
                                         const ReadCalls& calls);

// The contents of LAPSCOPE_HOST_SAMPLES and LAPSCOPE_HOST_SAMPLING. Empty if the trace has no table
// LAPSCOPE_HOST_SAMPLES.
struct ReadSamples {
  HostSamples samples;               // without stacks and chains
  std::vector<std::int64_t> chains;  // by sample: CUDA_CALLCHAINS.id, or no_chain
  std::vector<HealthRow> health;

  static constexpr std::int64_t no_chain = -1;
};

// Reads the samples. Leaves out samples with impossible times. The sampling interval of the result
// is the recorded interval or the median time between samples, whichever is longer.
ReadSamples read_host_samples(schema::Database& database);

// Sets Trace::stacks from the recorded chains, and Trace::host_samples from the samples. `calls`
// lists the calls that have a stack. Trace::names must already be set.
void read_stacks(schema::Database& database, const std::vector<StackOfCall>& calls,
                 ReadSamples samples, Trace& trace);

// The texts of StringIds. read_host() later adds texts from other tables. `id_of_whole_graph` is
// the id of the name that is given to graphs traced only as a whole.
inline constexpr std::int64_t id_of_whole_graph = std::numeric_limits<std::int64_t>::min();
struct ReadNames {
  Names names;
  // The names of kernels that are named with their namespaces, as communicating_name() returns
  // them: the index in `names`, by demangledName. Other kernels are named by their shortName.
  std::unordered_map<std::int64_t, std::uint32_t> with_namespaces;
};

// Reads all texts of StringIds. If they exceed the limit, throws UnreadableTrace, whose text names
// `path`. `communication` are patterns for communicating_name().
ReadNames read_names(schema::Database& database, const std::filesystem::path& path, RowLimit limit,
                     const std::vector<std::string>& communication);

// An NCCL range with a payload, or one that begins or ends a group.
struct CommunicationRange {
  Interval interval;
  std::int64_t global_tid = 0;
  std::uint32_t name = 0;     // index in Trace::names
  std::uint32_t payload = 0;  // index in Trace::names of the JSON; no_index if there is none
};

struct ReadMessages {
  Messages messages;
  std::vector<Communicator> communicators;  // by id and rank
};

// Finds the kernel launches that send each message. A launch inside a range with a payload sends
// the message of that range. Between ncclGroupStart and ncclGroupEnd, messages are collected. The
// launches inside the outermost ncclGroupEnd send all collected messages:
//
//   NVTX   [ncclGroupStart] [ncclSend] [ncclRecv] [ncclGroupEnd          ]
//   calls                                            [cuLaunchKernelExC]    both messages
//
// If a group has several messages and several kernels, no message gets a launch. The trace does not
// show which kernel sends which message. Payloads that are not NCCL's or not JSON are ignored.
ReadMessages read_messages(std::vector<CommunicationRange> ranges, const Calls& calls,
                           const Names& names);

// Returns whether a range with this name begins or ends an NCCL group.
inline bool is_group(std::string_view name) {
  return name == "ncclGroupStart" || name == "ncclGroupEnd";
}
// Returns whether a payload names the communicator of an NCCL call.
bool is_payload_of_nccl(std::string_view json);

// The host's records, from the tables that exist. Records with impossible times are left out and
// counted.
struct ReadHost {
  ReadCalls calls;
  ReadSynchronization synchronization;
  std::vector<CallStream> call_streams;
  Topology topology;
  Overheads overheads;
  NvtxRanges ranges;
  std::vector<CommunicationRange> communication;
  std::vector<Operator> operators;  // of PyTorch, in any order; only if calls have stacks
  // Range names that are not in StringIds. Their indices in NvtxRange::name start at Names::size().
  std::vector<std::string> own_names;
  std::int64_t invalid = 0;
  std::int64_t late_ranges = 0;  // NVTX ranges left out because they end after the recording
  std::int64_t markers = 0;      // CUPTI marker records that NVTX events were made from
};

ReadHost read_host(schema::Database& database, const Names& names, std::optional<Ns> recording_end,
                   Progress* progress);

// Adds to Trace::host_states how long threads were off their processor between two calls. The
// source is the collector's readings of thread clocks (LAPSCOPE_CPU_TIMES). Traces without readings
// get no states.
//
//   thread    [call]...........[call]        R: a reading, with the time on a processor so far
//   readings       R 10       R 13           11 pass between the readings; the thread runs for 3
//   state           ########                 the thread is off its processor for 8
//
// Two readings do not show when the thread was off its processor between them. The thread is
// assumed to be off its processor first, and to run later. If a reading lies outside the pause
// between the two calls, all time on a processor between the readings counts as part of the pause.
void read_cpu_times(schema::Database& database, Trace& trace);

}  // namespace lapscope::analyzer
