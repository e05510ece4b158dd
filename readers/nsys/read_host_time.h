#pragma once

#include "analyzer/model/trace.h"
#include "readers/nsys/host_records.h"

namespace lapscope::analyzer::nsys {

// What an export tells of threads that call CUDA as Trace::host_samples. Calls of the operating
// system and of MPI, waits for Python's lock, and stretches off the processor are spans, in this
// order where they overlap; what was sampled at other times are looks, of threads that run.
//
//   thread      [launch]..............................[launch]
//   recorded             [fwrite ]  ###off###
//   samples      ' ' ' ' '          '         ' ' ' ' ' '
//   spans                [fwrite ]  [off    ]
//   looks                '                    ' ' ' '
//
// A processor is sampled while a thread is on it. Where nobody recorded when that was, no time is
// known that is further than an interval from all samples. Of a thread without samples, but with
// such records, it is known that it ran.
void add_host_time(const HostRecords& records, Trace& trace, HostRecord& record);

}  // namespace lapscope::analyzer::nsys
