#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/intervals/units.h"
#include "analyzer/model/stacks.h"

namespace lapscope::analyzer {

// What a thread did when it was sampled, as the kernel reports it: the codes of
// ENUM_LAPSCOPE_THREAD_STATE.
enum class ThreadState : std::uint8_t {
  unknown,
  running,             // or ready to
  lock,                // waits for a lock or another thread
  interpreter_lock,    // waits for Python's
  reading,             // or writing
  polling,             // waits for input
  sleeping,            //
  child,               // waits for a process
  uninterruptible,     // in a page fault, or waits for a disk
  driver,              // in a call of the driver's
  other,               // in another system call
  garbage_collection,  // runs, in Python's garbage collector
  off_processor,       // waits, or is ready to run: the trace does not say which
};
inline constexpr std::size_t thread_states = 13;

std::string_view name_of(ThreadState state);

// What threads of the host did at even intervals, a column each, thread by thread and by time. At
// most 38 bytes a sample; a column without any information is empty.
//
// What a tool records from begin to end is a span: 21 bytes each. Spans of a thread are disjoint,
// and each lies between two outermost calls of it. A sample that falls into one counts for nothing.
// A sample of state unknown without a stack is time in which nothing could be seen.
struct HostSamples {
  static constexpr std::int64_t not_told = -1;

  std::vector<Ns> time;
  std::vector<ThreadState> state;
  std::vector<std::uint32_t> chain;  // in `stacks`; CallStacks::none
  std::vector<Ns> cpu_ns;            // on a processor since the thread began; not_told
  std::vector<Ns> ready_ns;          // ready, and without a processor, likewise
  std::vector<std::int64_t> holder;  // thread that held what it waited for; 0 when not known

  struct Thread {
    std::int64_t global_tid = 0;
    std::uint32_t first = 0;  // its samples are [first, last)
    std::uint32_t last = 0;
  };
  std::vector<Thread> threads;  // by global_tid

  // Likewise, thread by thread and by time.
  struct Spans {
    std::vector<Ns> start;
    std::vector<Ns> end;
    std::vector<ThreadState> state;
    std::vector<std::uint32_t> chain;
    std::vector<Thread> threads;

    std::size_t size() const { return start.size(); }
    Interval interval(std::size_t span) const { return {start[span], end[span]}; }
    // Null when the thread has no spans.
    const Thread* of(std::int64_t global_tid) const;
  };
  Spans spans;

  // Garbage collections of a Python interpreter that ended between two samples, all of one
  // generation; where the interpreter reports the time of each, one at a time.
  struct Collections {
    Interval looks;  // none before the first had ended, all before the second
    Ns start = not_told;
    Ns end = not_told;
    std::int64_t count = 0;
    std::uint8_t generation = 0;
  };
  static constexpr std::size_t generations = 3;
  std::vector<Collections> collections;

  CallStacks stacks;  // of samples and spans: no call has any of them

  Ns interval_ns = 0;  // between two samples of a thread; 0: there are none

  // Whether anything is known of what threads did.
  bool were_taken() const { return interval_ns > 0 || spans.size() > 0; }
  std::size_t size() const { return time.size(); }
  // Null when the thread has no samples.
  const Thread* of(std::int64_t global_tid) const;
};

}  // namespace lapscope::analyzer
