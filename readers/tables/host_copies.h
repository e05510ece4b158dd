#pragma once

#include "analyzer/model/ops.h"

namespace lapscope::analyzer {

// Copies from the host to the host, as of page-locked memory by cuMemcpyDtoHAsync: their record
// starts when the call begins to wait for the work ahead in the stream (H200, driver 580: JAX reads
// 8 bytes of page-locked memory so, while kernels of the stream run). They start when that work has
// ended. `ops` may be from one or several devices, in any order; `stream` distinguishes them.
void start_behind_work_ahead(Ops& ops);

}  // namespace lapscope::analyzer
