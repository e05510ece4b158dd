#pragma once

#include <optional>

#include "analyzer/intervals/units.h"
#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// Returns whether a kernel may begin before the previous kernel of its stream has ended
// (programmatic dependent launch). Also returns true if the trace does not record such launches.
bool may_launch_dependents(schema::Database& database);

// Removes ops with impossible times from their device, and adds them to Trace::impossible_ops. Adds
// a health row for each table that had such ops. Here, 1, 3 and 5 are removed:
//
//   call        [1]                            |  end of the recording
//   stream   [1 ]    [2   ]  [4 ]              |
//                       [3      ]        [5    |  ]
//
// - 1 starts before the call that issued it.
// - 3 overlaps with 2 and 4. 2 and 4 stay, because as few ops as possible are removed.
// - 5 ends after the recording.
//
// Overlap is not checked in two cases:
// - graph ops: they have no order in their stream
// - processes with several contexts on a device: streams of two contexts may share an id
void leave_out_impossible_ops(std::optional<Ns> recording_end, bool has_dependents, Trace& trace);

}  // namespace lapscope::analyzer
