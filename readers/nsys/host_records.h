#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analyzer/model/host_samples.h"
#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"
#include "readers/tables/host_record.h"

namespace lapscope::analyzer::nsys {

// The records of an export about threads that call CUDA, except the CUDA calls themselves. Thread
// indices refer to Calls::threads. Records with impossible times are left out.
struct HostRecords {
  // An outermost call of MPI or of the operating system's libraries.
  struct Call {
    HostState::Kind kind = HostState::Kind::os_call;
    std::uint32_t thread = 0;
    std::uint32_t name = 0;  // in Trace::names
    Interval interval;
    std::uint32_t chain = CallStacks::none;  // stack in HostSamples::stacks, with the callers
  };
  // An interval in which the thread was on a processor, or on no processor. Some releases record
  // why the thread was on no processor.
  struct Stretch {
    std::uint32_t thread = 0;
    Interval interval;
    bool is_on = false;
    ThreadState state = ThreadState::off_processor;
  };
  // A stack sampled at one instant, triggered by a cycle counter or a timer.
  struct Sample {
    std::uint32_t thread = 0;
    Ns time = 0;
    std::uint32_t chain = CallStacks::none;  // stack in HostSamples::stacks
  };

  std::vector<Call> calls;
  std::vector<Stretch> scheduling;  // by time within a thread; disjoint
  std::vector<Sample> samples;
};

// Reads the records and adds the stacks to `record`. Leaves out frames that have neither a function
// name nor a module.
HostRecords read_host_records(schema::Database& database, const Trace& trace, HostRecord& record);

// Adds the records to Trace::host_states: functions of the operating system, MPI calls, time off
// the processor, and samples. A sample gets the name of its innermost frame with a known function.
// Samples without such a frame are left out.
void add_host_states(const HostRecords& records, Trace& trace);

// Adds the records to Trace::host_samples. There are four sorts of spans: waits for Python's lock,
// MPI calls, system calls and time off the processor. Where spans overlap, the sort that comes
// first in this list wins. Samples outside of spans are kept as samples of a running thread.
//
//   CUDA calls   [launch]                           [launch]
//   system call             [fwrite     ]
//   off processor                [off       ]
//   spans                   [fwrite     ][off]
//   samples               '  '  '             '  '
//   kept samples          '                   '  '
//
// A thread is sampled only while it is on a processor. If there are no scheduling records, a time
// without samples becomes a span of unknown state. This span begins one sampling interval after a
// sample, and ends one sampling interval before the next sample. If a thread has no samples, the
// scheduling records of its time on a processor become spans, too.
void add_host_time(const HostRecords& records, Trace& trace, HostRecord& record);

// Returns what a thread waits for inside a function of the operating system's libraries, such as
// `poll` or `fwrite`. Returns ThreadState::other for an unknown function.
ThreadState state_in(std::string_view function);

}  // namespace lapscope::analyzer::nsys
