#pragma once

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"
#include "readers/tables/read_ops.h"
#include "readers/tables/read_target.h"
#include "readers/tables/reading_health.h"

namespace lapscope::analyzer {

// Makes Trace::devices from the ops and from the recorded GPUs and streams. Trace::contexts must
// already be set. Throws UnreadableTrace if there are too many devices, streams or contexts.
void make_devices(DealtOps dealt, ListedGpus gpus, schema::Database& database, Trace& trace,
                  ReadingDefects& defects);

// Checks that the durations of each device add up without overflow. All later sums rely on this
// check. Throws UnreadableTrace.
void check_sums(const Trace& trace);

}  // namespace lapscope::analyzer
