#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/calls.h"
#include "analyzer/model/names.h"
#include "analyzer/model/progress.h"
#include "analyzer/model/synchronization.h"
#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"
#include "readers/tables/forward_lines.h"
#include "readers/tables/issue_index.h"
#include "readers/tables/read_host_samples.h"
#include "readers/tables/read_messages.h"
#include "readers/tables/row_limit.h"

namespace lapscope::analyzer {

struct StackOfCall {
  std::uint32_t call = 0;
  std::int64_t chain = 0;  // CUDA_CALLCHAINS.id
  Ns ns = 0;               // what recording it took, 0 if that is not known
};

struct ReadCalls {
  Calls calls;
  std::vector<StackOfCall> stacks;
  IssueIndex issues;
  std::int64_t invalid = 0;         // calls left out because their times cannot be believed
  std::int64_t without_thread = 0;  // calls left out because their thread or id is none
  std::int64_t impossible = 0;      // and because they cannot have been made then
  std::int64_t rows = 0;
  // Calls whose function has another name or callback id than in rows before.
  std::int64_t misnamed = 0;
};

// The API calls of all threads. At most 40 bytes a call while reading.
//
// Where the end of the recording is known, a call cannot have been made when it is said to have
// been if it ends later or is at odds with others of its thread: those are made in the order of
// their ids, and one that begins in another ends in it. As few are left out as can be:
//
//   thread  [1 ] [2 ] [4 ] [3 ]  [5         ]
//                                   [6 ] [7   ]
//
// - 4 and 3 are not in their order: one of them is left out;
// - 7 goes beyond 5, in which it began: 5 is left out.
ReadCalls read_calls(schema::Database& database, const Names& names,
                     std::optional<Ns> recording_end, Progress* progress);

// The streams of host functions and graph launches, by call, as far as their calls are in the
// trace. Empty for traces of other tools and older ones, which have no such tables.
std::vector<CallStream> read_call_streams(schema::Database& database, const ReadCalls& calls);

// Likewise. Without dependencies that CUDA removed while it instantiated the graph of the node: for
// some copies it then makes a node of another kind, which takes over their dependencies, and yet
// records name the copies.
Topology read_topology(schema::Database& database, const Calls& calls);

// Both lists are by start of the call, and by call, of equal starts.
struct ReadSynchronization {
  std::vector<Synchronization> synchronizations;
  std::vector<EventRecord> event_records;
  std::int64_t without_call = 0;  // records of either sort left out for want of their call
  // The synchronizations among them whose call was made between others that are there: it was lost.
  std::int64_t lost_calls = 0;
  std::int64_t synchronization_rows = 0;
  std::int64_t event_rows = 0;
  // Records whose call belongs to a function that does not wait so, or records no events.
  std::int64_t unlike_their_calls = 0;
};

// What a trace records about waits on purpose and about events. Tables that are absent hold
// nothing, columns that are absent are not known. 28 and 24 bytes a record.
ReadSynchronization read_synchronization(schema::Database& database, const Names& names,
                                         const ReadCalls& calls);

// Makes Trace::stacks of the chains that the trace has, and of which calls have them; and of its
// samples Trace::host_samples. Trace::names has the texts; `calls` are those of the trace's calls
// that have a stack.
void read_stacks(schema::Database& database, const std::vector<StackOfCall>& calls,
                 ReadSamples samples, Trace& trace);

// Every text of the trace, of the file `path`, which is refused where they are more than the limit
// allows. Texts that stand in their own rows are added by read_host.
// `id_of_whole_graph` stands for what a graph is called of which only the whole was traced.
inline constexpr std::int64_t id_of_whole_graph = std::numeric_limits<std::int64_t>::min();
Names read_names(schema::Database& database, const std::filesystem::path& path, RowLimit limit);

// What the host did, as far as the tables are there. Times that cannot be believed are left out and
// counted.
struct ReadHost {
  ReadCalls calls;
  ReadSynchronization synchronization;
  std::vector<CallStream> call_streams;
  Topology topology;
  Overheads overheads;
  NvtxRanges ranges;
  std::vector<CommunicationRange> communication;
  std::vector<Operator> operators;  // of PyTorch, in any order; only where calls have stacks
  // Names of ranges that are not in StringIds; NvtxRange::name counts on from Names::size().
  std::vector<std::string> own_names;
  std::int64_t invalid = 0;
  std::int64_t late_ranges = 0;  // NVTX ranges left out because they end after the recording
  std::int64_t markers = 0;      // records that the rows of NVTX events are made of
};

ReadHost read_host(schema::Database& database, const Names& names, std::optional<Ns> recording_end,
                   Progress* progress);

}  // namespace lapscope::analyzer
