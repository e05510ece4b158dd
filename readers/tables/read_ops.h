#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "analyzer/model/ops.h"
#include "analyzer/model/progress.h"
#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"
#include "readers/tables/issue_index.h"
#include "readers/tables/read_host.h"

namespace lapscope::analyzer {

// A stream that ran ops. `device` and `stream` are ids from the trace.
struct OpStream {
  std::int64_t device = 0;
  std::uint32_t pid = 0;
  std::uint32_t stream = 0;

  friend auto operator<=>(const OpStream&, const OpStream&) = default;
};

// The ops of all devices in the order of the file, before deal() distributes them. `Ops::issue`
// holds correlation ids here, and `Ops::stream` holds indices in `streams`.
struct ReadOps {
  // Numbers of rows in the three tables.
  struct Rows {
    std::int64_t kernels = 0;
    std::int64_t copies = 0;
    std::int64_t memsets = 0;

    std::int64_t sum() const { return kernels + copies + memsets; }
  };
  Ops ops;
  std::vector<OpStream> streams;
  Rows invalid;                 // ops left out because of impossible times or devices
  Rows without_stream;          // ops left out because of an invalid stream, call or process
  std::int64_t unfinished = 0;  // ops left out because they have no end
  // Migrations of managed memory, which are not ops. Impossible times become an empty interval.
  std::vector<Migration> migrations;
  // Process and correlation id of each op that was left out.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> skipped;
  Rows all;
  // The number of rows whose channel has another type in an earlier row, or whose channel type does
  // not fit the op.
  std::int64_t odd_channels = 0;
  std::int64_t odd_directions = 0;  // copies whose direction contradicts their memory kinds
};

// Reads all kernels, copies and memsets, and graphs that were traced only as a whole. An absent
// table is read as empty.
ReadOps read_ops(schema::Database& database, const ReadNames& names, Progress* progress);

struct DeviceOps {
  std::int64_t device = 0;
  std::vector<OpStream> streams;  // streams with ops, by process and id; Ops::stream is an index
  Ops ops;
};

struct DealtOps {
  std::vector<DeviceOps> devices;      // by id
  std::int64_t unissued = 0;           // ops whose call is not in the trace
  std::vector<std::uint32_t> skipped;  // calls that issued an op that was left out
};

// Replaces correlation ids by calls and splits the ops by device, ordered by start. Moves the ops
// out of `read`, but not its counts. Takes `issues` by value to free it early, because it is as
// large as a column.
DealtOps deal(ReadOps& read, IssueIndex issues);

// Corrects the start of copies from host to host. An example is cuMemcpyDtoHAsync whose source is
// page-locked memory. As start, CUPTI records the time at which the call begins to wait for earlier
// work of the stream. The corrected start is the end of that work. This was measured on an H200
// with driver 580: JAX reads 8 bytes of page-locked memory while the stream runs kernels. `ops` may
// be in any order. If `ops` are of several devices, Ops::stream must distinguish the devices'
// streams.
void start_behind_work_ahead(Ops& ops);

}  // namespace lapscope::analyzer
