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
#include "collector/host_samples/stack_copies.h"
#include "collector/host_samples/thread_files.h"
#include "collector/process/watched_threads.h"
#include "collector/stacks/call_stacks.h"

namespace lapscope::host_samples {

// Samples the program's threads, in a thread of lapscope. A sample has what a thread waits for, how
// long it has run, and its stack: Python frames, and native frames if the thread runs. The sampler
// reads files below /proc, and copies the memory of the threads by system calls. It stops no
// thread, sends no signal, and takes no lock that the program may hold. If Python frames change
// while they are read, the sample has only the outer frames that did not change.
//
// The intervals between samples are random, from 0.5 to 1.5 times their mean. They grow if the
// sampler would take too much CPU time.
class HostSampler {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr double most_of_processor = 0.01;  // share of one processor

  // If `stacks` is null, samples have no stacks. `with_native` asks for native frames, which cost
  // time even if Linux refuses them. The arguments must live as long as the process.
  HostSampler(process::WatchedThreads& threads, callbacks::EventQueue& events,
              stacks::CallStacks* stacks, std::chrono::nanoseconds interval, bool with_native);

  // Starts the thread and resets the counts. Throws std::system_error if the thread cannot be made,
  // or if the thread of an earlier start() still runs.
  void start();
  // Asks the thread to end, and waits at most `deadline` for its end. If the thread still runs
  // after that, it ends later by itself.
  void stop(std::chrono::milliseconds deadline) noexcept;

  struct Counts {
    std::int64_t interval = 0;  // ns
    std::int64_t taken = 0;
    std::int64_t without_stack = 0;
    std::int64_t torn = 0;         // part of `without_stack`: all frames changed meanwhile
    std::int64_t late = 0;         // looks that began late
    std::int64_t cpu = 0;          // ns
    std::int64_t running = 0;      // samples of threads that ran
    std::int64_t with_native = 0;  // of `running`, with native frames
  };
  // Returns the counts since the last start(). Any thread may call it.
  Counts counts() const noexcept;

 private:
  void run() noexcept;
  void look() noexcept;
  void take(std::size_t place, Clock::time_point latest) noexcept;
  void take_stack(std::size_t place, const process::WatchedThreads::Thread& thread,
                  const ThreadLook& look, Clock::time_point latest,
                  callbacks::HostSample& sample) noexcept;
  void set_state(const ThreadLook& look, callbacks::HostSample& sample) const noexcept;

  process::WatchedThreads& threads_;
  callbacks::EventQueue& events_;
  stacks::CallStacks* const stacks_;
  const std::chrono::nanoseconds interval_;
  const bool with_native_frames_;
  // The last sample of a thread. Empty if the thread did not wait in this sample.
  struct Waited {
    std::uint32_t thread = 0;
    Waiting waiting;
    std::int64_t on_cpu = 0;
    std::uint32_t chain = 0;
  };
  std::array<Waited, process::WatchedThreads::most> waited_;  // by place
  // Only for the sampler's thread.
  std::optional<python_frames::OwnProcess> process_;
  bool has_own_descriptors_ = false;
  std::array<ThreadFiles, process::WatchedThreads::most> files_;  // by place
  std::optional<RunningStacks> running_stacks_;
  WaitingStack waiting_stack_;
  std::optional<CollectionLog> collections_;  // since the last start()
  std::atomic<std::int64_t> taken_{0}, without_stack_{0}, torn_{0}, late_{0}, cpu_{0}, running_{0},
      with_native_{0};

  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace lapscope::host_samples
