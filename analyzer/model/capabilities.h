#pragma once

#include "analyzer/model/health.h"

namespace lapscope::analyzer {

// What the traces of a format can have, whatever was recorded: the defaults are for lapscope's own
// format. What one trace has is in TraceFacts::recorded.
struct Capabilities {
  bool every_kind = true;      // any kind of records that `lapscope record` has
  bool recorded_kinds = true;  // which kinds were recorded; else the tables that are there show it
  bool driver_calls = true;    // calls of the driver API, not only launches of kernels
  bool lost_records = true;    // how many records came, so that it shows where some are missing
  bool empty_tables = true;    // a table is absent only where it would have no rows
  bool end_of_gpu = true;      // the GPU's records go on for as long as those of the host do
  bool graph_nodes = true;     // of each op of a graph that it is one
  bool cuda = true;            // CUDA is always traced: without calls there were none
  bool addresses = true;       // call stacks are addresses, which can be given names afterwards
};

// The health rows that report what a trace lacks: what to do about it differs from recorder to
// recorder.
struct Lacks {
  HealthKind gpu_records = HealthKind::gpu_records_lost;
  HealthKind page_faults = HealthKind::managed_memory;
  HealthKind cuda = HealthKind::no_ops;  // where Capabilities::cuda is not
};

}  // namespace lapscope::analyzer
