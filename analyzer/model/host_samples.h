#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/stacks.h"

namespace lapscope::analyzer {

// What a thread did when it was looked at, as the kernel tells it: the codes of
// ENUM_LAPSCOPE_THREAD_STATE.
enum class ThreadState : std::uint8_t {
  unknown,
  running,             // or ready to
  lock,                // waits for a lock or another thread
  interpreter_lock,    // waits for that of Python
  reading,             // or writing
  polling,             // waits for input
  sleeping,            //
  child,               // waits for a process
  uninterruptible,     // in a page fault, or waits for a disk
  driver,              // in a call of the driver's
  other,               // in another system call
  garbage_collection,  // runs, in Python's garbage collector
};
inline constexpr std::size_t thread_states = 12;

std::string_view name_of(ThreadState state);

// What threads of the host did at even intervals, a column each, thread by thread and by time. At
// most 38 bytes a sample; a column that would tell nothing is empty.
struct HostSamples {
  static constexpr std::int64_t not_told = -1;

  std::vector<Ns> time;
  std::vector<ThreadState> state;
  std::vector<std::uint32_t> chain;  // in `stacks`; CallStacks::none
  std::vector<Ns> cpu_ns;            // on a processor since the thread began; not_told
  std::vector<Ns> ready_ns;          // ready, and without a processor, likewise
  std::vector<std::int64_t> holder;  // thread that held what it waited for; 0 when not told

  struct Thread {
    std::int64_t global_tid = 0;
    std::uint32_t first = 0;  // its samples are [first, last)
    std::uint32_t last = 0;
  };
  std::vector<Thread> threads;  // by global_tid
  CallStacks stacks;            // of the samples: no call has any of them

  Ns interval_ns = 0;  // between two looks at a thread; 0: nobody looked

  bool were_taken() const { return interval_ns > 0; }
  std::size_t size() const { return time.size(); }
  // Null when the thread has no samples.
  const Thread* of(std::int64_t global_tid) const;
};

}  // namespace lapscope::analyzer
