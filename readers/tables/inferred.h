#pragma once

#include <vector>

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

// If a trace lacks a table, infers the table's data from other tables.
namespace lapscope::analyzer {

// Infers module loads for a trace without load records. The first launch of a function is taken as
// a load if it takes far longer than other launches. Only the time before its kernel starts counts.
// The first launch is determined separately for each process and device. Adds these loads to
// Trace::overheads, and a health row. Functions are distinguished by full name, because each
// instantiation of a template is loaded separately.
//
//   thread   [launch k<int> 15.9 ms    ][launch k<int> 3 us][launch k<float> 14 ms   ]
//
// Afterwards, records of loads are no longer reported as missing.
void infer_loads(schema::Database& database, Trace& trace);

// Returns the contexts of a trace without a table of contexts, by process and id. Takes them from
// the rows of ops. The null streams of these contexts are unknown.
std::vector<CudaContext> contexts_of_ops(schema::Database& database);

// Assigns a context to each stream without one, if all ops of the stream have the same context. A
// wait for the context then covers the stream. Does nothing for a trace without waits.
void place_streams(schema::Database& database, Trace& trace);

}  // namespace lapscope::analyzer
