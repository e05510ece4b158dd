#pragma once

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// Adds a row to the front of Trace::health for each group of failed calls. There are three groups:
// launches; copies and memsets; waits. A failed launch or copy means that the program's work is
// missing. A failed wait means that a kernel failed. A failed call and the failed calls inside it
// are counted as one failed call. If more than assumed::hardly_any of the launches or copies
// failed, the row has a special kind. This kind says that the run did not do its intended work.
//
// Does nothing for traces without the calls' results.
void add_failed_calls(schema::Database& database, Trace& trace);

}  // namespace lapscope::analyzer
