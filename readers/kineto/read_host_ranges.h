#pragma once

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::kineto {

// Adds spans to Trace::host_samples for threads that call CUDA. A span shows which Python
// functions, operators and annotations were open, innermost frame first.
//
//   thread   [cudaLaunchKernel]...........................[cudaLaunchKernel]
//   ranges   [train.py(12): step                                           ]
//                                  [aten::add_                               ]
//   spans                      ----- step  ---- aten::add_ <- step
//
// Time outside all ranges is in no span. Kineto does not record thread states. The state of a
// thread is known only inside a function whose name shows what the thread waits for.
void read_host_ranges(schema::Database& database, analyzer::Trace& trace);

}  // namespace lapscope::kineto
