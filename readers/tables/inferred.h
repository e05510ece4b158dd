#pragma once

#include <vector>

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

// If a trace lacks a table, infers the table's data from other tables.
namespace lapscope::analyzer {

// Infers module loads for a trace without load records. The first launch of a function in a process
// and on a device is taken as a load if it takes at least assumed::least_load, and longer than all
// launches that are not the first of their function. The part of a launch after the start of its
// kernel is ignored. Each instantiation of a template is a function of its own, because CUDA loads
// it separately. Here, the first and the third launch are loads:
//
//   thread   [launch k<int> 15.9 ms    ][launch k<int> 3 us][launch k<float> 14 ms   ]
//
// Adds the loads to Trace::overheads, and a health row. Afterwards, records of loads are no longer
// reported as missing.
void infer_loads(schema::Database& database, Trace& trace);

// Returns the contexts of a trace without a table of contexts, by process and id. Takes them from
// the rows of ops. The null streams of these contexts are unknown.
std::vector<CudaContext> contexts_of_ops(schema::Database& database);

// Assigns a context to each stream without one, if all ops of the stream have the same context. A
// wait for the context then covers the stream. Does nothing for a trace without waits.
void place_streams(schema::Database& database, Trace& trace);

}  // namespace lapscope::analyzer
