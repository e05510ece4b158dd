#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/intervals/units.h"
#include "analyzer/model/stacks.h"

namespace lapscope::analyzer {

// What a thread did when it was sampled, as the Linux kernel reports it. The values are the codes
// of ENUM_LAPSCOPE_THREAD_STATE.
enum class ThreadState : std::uint8_t {
  unknown,
  running,             // or ready to run
  lock,                // waits for a lock or another thread
  interpreter_lock,    // waits for Python's interpreter lock
  reading,             // reading or writing
  polling,             // waits for input
  sleeping,            // in a call that sleeps for a time
  child,               // waits for another process
  uninterruptible,     // in a page fault, or waits for a disk
  driver,              // in a call into the GPU driver
  other,               // in another system call
  garbage_collection,  // runs Python's garbage collector
  off_processor,       // waits, or is ready to run: the trace does not show which
};
inline constexpr std::size_t thread_states = 13;

std::string_view name_of(ThreadState state);
// Returns whether a thread in this state is surely off its processor, and not ready to run either.
bool is_waiting(ThreadState state);

// Returns by how much a clock of a thread (HostSamples::cpu_ns, ready_ns) went on from sample `a`
// to sample `b`. Returns HostSamples::not_told if one of the samples lacks the clock.
Ns ran_between(const std::vector<Ns>& clock, std::uint32_t a, std::uint32_t b);

// Samples of host threads at even intervals, in columns, thread by thread and by time. A sample
// takes at most 37 bytes. A column without any information is empty.
//
// A span is an activity of a thread whose begin and end a tool recorded. It takes 21 bytes. The
// spans of a thread are disjoint. Each span lies between two outermost calls of the thread. A
// sample inside a span is ignored. A sample with state `unknown` and without a stack shows nothing.
struct HostSamples {
  static constexpr std::int64_t not_told = -1;

  std::vector<Ns> time;
  std::vector<ThreadState> state;
  std::vector<std::uint32_t> chain;  // in `stacks`; or CallStacks::none
  std::vector<Ns> cpu_ns;            // on a processor since the thread began; or not_told
  std::vector<Ns> ready_ns;          // ready but without a processor since then; or not_told
  std::vector<std::int64_t> holder;  // thread that held what this one waited for; 0: not known

  struct Thread {
    std::int64_t global_tid = 0;
    std::uint32_t first = 0;  // its samples are [first, last)
    std::uint32_t last = 0;
  };
  std::vector<Thread> threads;  // by global_tid

  // The spans of all threads in columns, thread by thread and by time.
  struct Spans {
    std::vector<Ns> start;
    std::vector<Ns> end;
    std::vector<ThreadState> state;
    std::vector<std::uint32_t> chain;
    std::vector<Thread> threads;

    std::size_t size() const { return start.size(); }
    Interval interval(std::size_t span) const { return {start[span], end[span]}; }
    // Returns the spans of a thread; null when the thread has none.
    const Thread* of(std::int64_t global_tid) const;
  };
  Spans spans;

  // Garbage collections of one generation in a Python interpreter. All of them ended between the
  // same two samples. If the interpreter reports the times of its collections, each collection has
  // an element of its own.
  struct Collections {
    Interval looks;  // times of the two samples between which all of them ended
    Ns end = not_told;
    std::int64_t count = 0;
    std::uint8_t generation = 0;
  };
  static constexpr std::size_t generations = 3;
  std::vector<Collections> collections;

  CallStacks stacks;  // of samples and spans, not of calls

  Ns interval_ns = 0;  // between two samples of a thread; 0: there are none
  // Whether the tool took the samples of a thread at even intervals of its processor time, not of
  // wall time.
  bool are_by_cpu_time = false;

  // Whether the trace shows what threads did.
  bool were_taken() const { return interval_ns > 0 || spans.size() > 0; }
  std::size_t size() const { return time.size(); }
  // Returns the samples of a thread; null when the thread has none.
  const Thread* of(std::int64_t global_tid) const;
};

}  // namespace lapscope::analyzer
