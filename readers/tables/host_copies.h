#pragma once

#include "analyzer/model/ops.h"

namespace lapscope::analyzer {

// Corrects the start of copies from host to host. An example is cuMemcpyDtoHAsync whose source is
// page-locked memory. As start, CUPTI records the time at which the call begins to wait for earlier
// work of the stream. The corrected start is the end of that work. This was measured on an H200
// with driver 580: JAX reads 8 bytes of page-locked memory while the stream runs kernels. `ops` may
// be in any order. If `ops` are of several devices, Ops::stream must distinguish the devices'
// streams.
void start_behind_work_ahead(Ops& ops);

}  // namespace lapscope::analyzer
