#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "analyzer/model/names.h"
#include "analyzer/model/ops.h"
#include "analyzer/model/progress.h"
#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"
#include "readers/tables/issue_index.h"

namespace lapscope::analyzer {

// A stream that ops ran in. Ids of devices and streams are as in the trace.
struct OpStream {
  std::int64_t device = 0;
  std::uint32_t pid = 0;
  std::uint32_t stream = 0;

  friend auto operator<=>(const OpStream&, const OpStream&) = default;
};

// The ops of all devices as they stand in the file, until they are joined with the host's calls and
// dealt to their devices: `issue` holds correlation ids, `stream` indices in `streams`.
struct ReadOps {
  // Rows of the three tables.
  struct Rows {
    std::int64_t kernels = 0;
    std::int64_t copies = 0;
    std::int64_t memsets = 0;

    std::int64_t sum() const { return kernels + copies + memsets; }
  };
  Ops ops;
  std::vector<OpStream> streams;
  Rows invalid;                 // ops left out because their times or devices cannot be believed
  Rows without_stream;          // ops left out because their stream, call or process is no id
  std::int64_t unfinished = 0;  // ops left out because they have a start and no end
  // Rows of managed memory, and no ops. Rows with impossible times count as taking no time.
  std::vector<Migration> migrations;
  // Processes and correlation ids of the ops that were left out.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> skipped;
  Rows all;
  // Rows whose channel has another type than in rows before, or is no channel for such an op.
  std::int64_t odd_channels = 0;
  std::int64_t odd_directions = 0;  // copies whose direction is not that of their memory
};

// All kernels, copies and memsets of a trace, and the executions of graphs that were only traced as
// a whole. Tables that are absent hold nothing.
ReadOps read_ops(schema::Database& database, const Names& names, Progress* progress);

struct DeviceOps {
  std::int64_t device = 0;
  std::vector<OpStream> streams;  // those with ops, by process and id; Ops::stream is its index
  Ops ops;
};

struct DealtOps {
  std::vector<DeviceOps> devices;      // by id
  std::int64_t unissued = 0;           // ops whose issuing call is not in the trace
  std::vector<std::uint32_t> skipped;  // calls that issued an op that was left out
};

// Joins the ops with the calls that issued them, and gives each device its own, in order.
// Takes both: of what was read, counts stay, and the index is as large as a column.
DealtOps deal(ReadOps& read, IssueIndex issues);

}  // namespace lapscope::analyzer
