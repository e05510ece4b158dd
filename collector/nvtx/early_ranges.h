#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collector/callbacks/callback_queue.h"
#include "collector/callbacks/own_process.h"
#include "collector/nvtx/iteration_counts.h"

namespace lapscope::nvtx {

// Tracks the NVTX ranges that are open when a recording begins, because CUPTI delivers only the
// ends of these ranges. CUPTI starts to record at the first use of CUDA.
//
//   NVTX    |------ epoch ------|
//   CUDA          |cuInit ...
//           ^ kept here         ^ sent to the recording
//
// If a process is recorded several times, ranges are also tracked during and between the
// recordings. Each recording takes over the ranges that are open when it begins.
//
// Thread-safe. The member functions throw nothing. In a child made by fork(), they do nothing,
// because the ranges belong to the parent.
class EarlyRanges {
 public:
  using Domain = const void*;  // NVTX's handle; null is the default domain

  struct Range {
    std::int64_t id = 0;     // negative; CUPTI's ids are positive
    std::uint64_t time = 0;  // begin, ns, UTC
    std::uint32_t thread = 0;
    std::string domain;  // name; empty for the default domain
    std::string text;
    bool is_taken = false;  // a recording has taken the range and needs its end
  };

  // Returns whether ranges are tracked. If not, callers can skip the calls of the functions below.
  bool is_watching() const noexcept { return watching_.load(std::memory_order_relaxed); }

  // Stores the text of an NVTX handle: the name of a domain, or a registered string.
  void name(const void* handle, std::string name) noexcept;
  std::string name_of(const void* handle) noexcept;  // empty when not known

  // Report that the calling thread has opened or closed a range. pop() closes the thread's
  // innermost range in `domain`. end() closes the range that start() opened with this `nvtx_id`.
  void push(Domain domain, std::string text) noexcept;
  void pop(Domain domain) noexcept;
  void start(Domain domain, std::uint64_t nvtx_id, std::string text) noexcept;
  void end(std::uint64_t nvtx_id) noexcept;

  // Begins a recording. Returns the open ranges, oldest first. During the recording, the ends of
  // these ranges, and of no others, are reported to the queue of send_ends_to().
  std::vector<Range> take_open() noexcept;

  // Makes this object track new ranges for later recordings, and count them as iterations. Call it
  // before the first recording.
  void keep_watching() noexcept { keeps_watching_.store(true, std::memory_order_relaxed); }
  IterationCounts& iterations() noexcept { return iterations_; }
  // Ends the recording. The ends of its ranges are no longer reported.
  void end_recording() noexcept;

  // Sets the queue for the ends of the ranges that take_open() has returned. If a range has ended
  // before this call, its end is pushed to `queue` at once.
  void send_ends_to(callbacks::EventQueue& queue) noexcept;

  // Returns whether this process made the object. A forked child has the object of its parent, and
  // tracks nothing.
  bool is_own_process() noexcept;

 private:
  // The ranges that one thread has pushed in one domain and has not popped yet. The entry of a
  // range that is not tracked is empty, so that pops match their pushes. A range is not tracked if
  // it began after the last take_open(), or if too many ranges were open.
  using Stack = std::vector<std::optional<Range>>;

  bool keeps_new() const { return !taken_ || keeps_watching_; }
  template <class Visit>
  void for_each_open(Visit visit);
  Range make_range(Domain domain, std::string text);
  void report_end(const Range& range);
  void stop_when_done();

  const callbacks::OwnProcess own_process_;
  std::atomic<bool> watching_{true};
  std::atomic<bool> keeps_watching_{false};
  IterationCounts iterations_;
  std::mutex mutex_;  // guards the rest
  bool taken_ = false;
  std::size_t open_ = 0;
  std::int64_t last_id_ = 0;
  std::map<const void*, std::string> names_;
  std::map<std::pair<std::uint32_t, Domain>, Stack> stacks_;  // by thread and domain
  std::map<std::uint64_t, Range> started_;                    // by NVTX's id
  callbacks::EventQueue* queue_ = nullptr;
  std::vector<callbacks::EarlyRangeEnd> ends_;  // kept here until there is a queue
};

}  // namespace lapscope::nvtx
