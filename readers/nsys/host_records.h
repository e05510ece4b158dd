#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"
#include "readers/tables/host_record.h"

namespace lapscope::analyzer::nsys {

// What an export records about threads that call CUDA besides their calls, row by row; indices of
// threads are those of Calls::threads. Times that cannot be believed are left out.
struct HostRecords {
  // In a function of the operating system's libraries, or of MPI; outermost ones.
  struct Call {
    HostState::Kind kind = HostState::Kind::os_call;
    std::uint32_t thread = 0;
    std::uint32_t name = 0;  // in Trace::names
    Interval interval;
    std::uint32_t chain = CallStacks::none;  // in HostSamples::stacks, of its callers, too
  };
  // On a processor, or off it. Some releases record why it is off.
  struct Stretch {
    std::uint32_t thread = 0;
    Interval interval;
    bool is_on = false;
    ThreadState state = ThreadState::off_processor;
  };
  // What the processor did at one instant, as its counter of cycles or a clock asked.
  struct Sample {
    std::uint32_t thread = 0;
    Ns time = 0;
    std::uint32_t chain = CallStacks::none;  // likewise
  };

  std::vector<Call> calls;
  std::vector<Stretch> scheduling;  // of a thread by time; disjoint
  std::vector<Sample> samples;
};

// Stacks go into `record`. Their frames without a name have a module.
HostRecords read_host_records(schema::Database& database, const Trace& trace, HostRecord& record);

// What an export records about threads that call CUDA as Trace::host_states: functions of the
// operating system, MPI, when a thread was off its processor, and samples of what it ran (the
// innermost function with a name).
void add_host_states(const HostRecords& records, Trace& trace);

// What an export records about threads that call CUDA as Trace::host_samples. Waits for Python's
// lock, calls of MPI and of the operating system, and intervals off the processor are spans, the
// first of these if they overlap; what was sampled at other times are looks, of threads that run.
//
//   thread      [launch]..............................[launch]
//   recorded             [fwrite ]  ###off###
//   samples      ' ' ' ' '          '         ' ' ' ' ' '
//   spans                [fwrite ]  [off    ]
//   looks                '                    ' ' ' '
//
// A processor is sampled while a thread is on it. If that was not recorded, no time is known that
// is further than an interval from all samples. A thread without samples, but with such records, is
// known to have run.
void add_host_time(const HostRecords& records, Trace& trace, HostRecord& record);

}  // namespace lapscope::analyzer::nsys
