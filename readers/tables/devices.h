#pragma once

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"
#include "readers/tables/read_ops.h"
#include "readers/tables/read_target.h"
#include "readers/tables/reading_health.h"

namespace lapscope::analyzer {

// Makes Trace::devices from the ops and from what the trace records about GPUs and streams;
// Trace::contexts are there. Throws UnreadableTrace if there is more of anything than can be
// evaluated.
void make_devices(DealtOps dealt, ListedGpus gpus, schema::Database& database, Trace& trace,
                  ReadingDefects& defects);

// Everything that adds durations of a device up relies on this: that the sum is a number. Throws
// UnreadableTrace.
void check_sums(const Trace& trace);

}  // namespace lapscope::analyzer
