#pragma once

#include <string_view>

namespace lapscope::analyzer {

// What the traces of a format can tell, whatever was recorded: the defaults are those of lapscope's
// own. What one trace tells is in TraceFacts::recorded.
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

// What to do about what a trace lacks, in sentences.
struct Remedies {
  std::string_view gpu_records = "Record again, and let the program end.";
  std::string_view page_faults = "Record with `lapscope record --unified-memory`.";
  std::string_view cuda = {};  // where Capabilities::cuda is not
};

}  // namespace lapscope::analyzer
