#pragma once

#include "analyzer/model/health.h"

namespace lapscope::analyzer {

// What a format of traces can contain. TraceFacts::recorded lists what one trace contains. The
// defaults describe lapscope's own format.
struct Capabilities {
  bool every_kind = true;      // all kinds of records that `lapscope record` writes
  bool recorded_kinds = true;  // a list of the recorded kinds
  bool driver_calls = true;    // calls of the driver API, not only launches of kernels
  bool lost_records = true;    // the number of records received, which shows missing ones
  bool empty_tables = true;    // a table is absent only if it would have no rows
  bool end_of_gpu = true;      // GPU records reach as far as those of the host
  bool graph_nodes = true;     // whether an op is a node of a CUDA graph
  bool cuda = true;            // CUDA is always traced: without records no call was made
  bool addresses = true;       // call stacks are addresses that can be symbolized later
};

// The health rows for what a trace lacks. They depend on the format, because the remedies do.
struct Lacks {
  HealthKind gpu_records = HealthKind::gpu_records_lost;
  HealthKind page_faults = HealthKind::managed_memory;
  HealthKind cuda = HealthKind::no_ops;  // if Capabilities::cuda is false
};

}  // namespace lapscope::analyzer
