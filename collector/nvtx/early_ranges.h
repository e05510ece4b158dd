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

namespace lapscope::nvtx {

// The NVTX ranges that a program has opened before it first used CUDA. CUPTI records nothing before
// that, and delivers the end of such a range without its begin.
//
//   NVTX    |------ epoch ------|
//   CUDA          |cuInit ...
//           ^ kept here         ^ sent to the recording
//
// Where a process is recorded now and then, all ranges are watched all the time, and those that are
// open when a recording begins are taken.
//
// Thread-safe, throws nothing. A child made by fork() sees nothing: the ranges are its parent's.
class EarlyRanges {
 public:
  using Domain = const void*;  // NVTX's handle; null is the default domain

  struct Range {
    std::int64_t id = 0;     // negative; CUPTI's are positive
    std::uint64_t time = 0;  // ns, UTC
    std::uint32_t thread = 0;
    std::string domain;  // its name; empty for the default domain
    std::string text;
    bool is_taken = false;  // its end matters to the recording
  };

  // False when there is nothing left that the calls below could change.
  bool is_watching() const noexcept { return watching_.load(std::memory_order_relaxed); }

  // What a handle of NVTX's stands for: the name of a domain, or a registered text.
  void name(const void* handle, std::string name) noexcept;
  std::string name_of(const void* handle) noexcept;  // empty when not known

  // Called by the thread that does it: push and pop by thread and domain, start and end by NVTX's
  // id.
  void push(Domain domain, std::string text) noexcept;
  void pop(Domain domain) noexcept;
  void start(Domain domain, std::uint64_t nvtx_id, std::string text) noexcept;
  void end(std::uint64_t nvtx_id) noexcept;

  // The recording begins: the ranges that are open now, by time. From here on only their ends
  // matter.
  std::vector<Range> take_open() noexcept;

  // More than one recording is to come. To be called before the first.
  void keep_watching() noexcept { keeps_watching_.store(true, std::memory_order_relaxed); }
  // The recording has ended: no end of a range is reported any more.
  void end_recording() noexcept;

  // Where the ends of ranges that were taken go, those that came since included.
  void send_ends_to(callbacks::EventQueue& queue) noexcept;

 private:
  // A push that came after the last take_open() has no range: it is only kept to match its pop.
  using Stack = std::vector<std::optional<Range>>;

  bool is_own_process() noexcept;
  bool keeps_new() const { return !taken_ || keeps_watching_; }
  template <class Visit>
  void for_each_open(Visit visit);
  Range make_range(Domain domain, std::string text);
  void report_end(const Range& range);
  void stop_when_done();

  const callbacks::OwnProcess own_process_;
  std::atomic<bool> watching_{true};
  std::atomic<bool> keeps_watching_{false};
  std::mutex mutex_;  // guards the rest
  bool taken_ = false;
  std::size_t open_ = 0;
  std::int64_t last_id_ = 0;
  std::map<const void*, std::string> names_;
  std::map<std::pair<std::uint32_t, Domain>, Stack> stacks_;  // by thread and domain
  std::map<std::uint64_t, Range> started_;                    // by NVTX's id
  callbacks::EventQueue* queue_ = nullptr;
  std::vector<callbacks::EarlyRangeEnd> ends_;  // until there is a queue
};

}  // namespace lapscope::nvtx
