#pragma once

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::kineto {

// Makes spans of Trace::host_samples of the Python functions, operators and annotations of threads
// that call CUDA: what was open when, innermost frame first.
//
//   thread   [cudaLaunchKernel]...........................[cudaLaunchKernel]
//   ranges   [train.py(12): step                                           ]
//                                  [aten::add_                               ]
//   spans                      ----- step  ---- aten::add_ <- step
//
// What lies in no range is in no span. Kineto does not record the states of threads: the states in
// functions whose name says what they wait for are known, others are not.
void read_host_ranges(schema::Database& database, analyzer::Trace& trace);

}  // namespace lapscope::kineto
