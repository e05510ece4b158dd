#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>

#include "collector/callbacks/callback_queue.h"
#include "collector/host_samples/collection_log.h"
#include "collector/host_samples/running_stacks.h"
#include "collector/process/watched_threads.h"
#include "collector/stacks/call_stacks.h"

namespace lapscope::host_samples {

struct ThreadLook;

// A thread of its own that looks, at intervals that vary by a quarter, what the program's threads
// do: what they wait for, how long they have run, and where they are, in Python and, if they run,
// in other code. It reads what the kernel reports about them, and their memory through the kernel:
// no thread is stopped or sent a signal, no lock is taken that the program may hold. Python's
// frames may change while they are read; such samples have no frames.
//
// Its own time on a processor is limited: where a look takes long, looks are further apart.
class HostSampler {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr double most_of_processor = 0.01;  // of one

  // Samples these threads. `stacks` may be null: no stacks then. Native frames are read only if
  // they are wanted, which costs time where the kernel refuses them. All of them must live as long
  // as the process.
  HostSampler(process::WatchedThreads& threads, callbacks::EventQueue& events,
              stacks::CallStacks* stacks, std::chrono::nanoseconds interval, bool with_native);

  // Counts begin anew. Throws std::system_error when there can be no thread, or the last one is
  // still there.
  void start();
  // Gives up waiting at the deadline: the thread then goes on until it notices.
  void stop(std::chrono::milliseconds deadline) noexcept;

  struct Counts {
    std::int64_t interval = 0;  // ns
    std::int64_t taken = 0;
    std::int64_t without_stack = 0;
    std::int64_t torn = 0;         // among these
    std::int64_t late = 0;         // looks
    std::int64_t cpu = 0;          // ns
    std::int64_t running = 0;      // samples of threads that ran
    std::int64_t with_native = 0;  // of `running`, with native frames
  };
  // From any thread.
  Counts counts() const noexcept;

 private:
  void run() noexcept;
  void look() noexcept;
  void take(std::size_t place) noexcept;
  void set_state(const ThreadLook& look, callbacks::HostSample& sample) const noexcept;

  process::WatchedThreads& threads_;
  callbacks::EventQueue& events_;
  stacks::CallStacks* const stacks_;
  const std::chrono::nanoseconds interval_;
  const bool with_native_frames_;
  std::optional<RunningStacks> running_stacks_;  // of the thread's own
  std::optional<CollectionLog> collections_;     // of this start
  std::atomic<std::int64_t> taken_{0}, without_stack_{0}, torn_{0}, late_{0}, cpu_{0}, running_{0},
      with_native_{0};

  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace lapscope::host_samples
