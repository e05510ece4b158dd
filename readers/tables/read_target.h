#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"
#include "readers/tables/read_ops.h"
#include "readers/tables/reading_health.h"

namespace lapscope::analyzer {

// The GPUs of a trace by device id.
struct ListedGpus {
  std::map<std::int64_t, Gpu> by_device;
  bool is_any = false;  // the list has rows, even if their device is not known
  struct OfProcess {
    std::int64_t id = 0;  // of the GPU in the list
    Gpu gpu;
  };
  // By process and device id. Processes can use one device id for different GPUs
  // (CUDA_VISIBLE_DEVICES). An entry prevails over `by_device`.
  std::map<std::pair<std::uint32_t, std::int64_t>, OfProcess> by_process;
};

ListedGpus read_gpus(schema::Database& database);

// Returns the recorded contexts by process and id.
std::vector<CudaContext> read_contexts(schema::Database& database);

// Returns the recorded streams, including unused ones, by device; each list is ordered by process
// and id. Streams of unknown contexts are left out.
std::map<std::int64_t, std::vector<Stream>> read_streams(schema::Database& database,
                                                         const std::vector<CudaContext>& contexts);

// Makes Trace::devices from the ops and from the recorded GPUs and streams. Trace::contexts must
// already be set. Throws UnreadableTrace if there are too many devices, streams or contexts.
void make_devices(DealtOps dealt, ListedGpus gpus, schema::Database& database, Trace& trace,
                  ReadingDefects& defects);

// Checks that the durations of each device add up without overflow. All later sums rely on this
// check. Throws UnreadableTrace if they overflow.
void check_sums(const Trace& trace);

}  // namespace lapscope::analyzer
