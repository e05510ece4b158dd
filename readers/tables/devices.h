#pragma once

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"
#include "readers/tables/read_ops.h"
#include "readers/tables/read_target.h"
#include "readers/tables/reading_health.h"

namespace lapscope::analyzer {

// Makes Trace::devices of the ops and of what the trace tells of GPUs and streams; Trace::contexts
// are there. Throws UnreadableTrace where there is more of anything than can be judged.
void make_devices(DealtOps dealt, ListedGpus gpus, schema::Database& database, Trace& trace,
                  ReadingDefects& defects);

// Everything that adds durations of a device up relies on this: that the sum is a number. Throws
// UnreadableTrace.
void check_sums(const Trace& trace);

}  // namespace lapscope::analyzer
