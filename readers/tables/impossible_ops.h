#pragma once

#include <cstdint>
#include <optional>

#include "analyzer/intervals/units.h"
#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// Whether a kernel may begin before the one ahead of it in its stream has ended (programmatic
// dependent launch). False if the trace records all such launches and there is none.
bool may_launch_dependents(schema::Database& database);

// Takes out of the devices' columns the ops that cannot have run when they are said to have, puts
// them into Trace::impossible_ops, and adds a row for each table that they are from:
//
//   call        [1]                            |  end of the recording
//   stream   [1 ]    [2   ]  [4 ]              |
//                       [3      ]        [5    |  ]
//
// - 1 starts before the call that issued it;
// - 3 runs beside others of its stream: as few are left out as can be;
// - 5 ends after the recording.
//
// Ops of graphs have no order in their stream, and streams of several contexts of a process may
// have the same id.
void leave_out_impossible_ops(std::optional<Ns> recording_end, bool has_dependents, Trace& trace);

}  // namespace lapscope::analyzer
