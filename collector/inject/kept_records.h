#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "collector/callbacks/callback_queue.h"
#include "collector/inject/buffer_pool.h"
#include "collector/inject/trace_output.h"

namespace lapscope::inject {

// The last records and events of a capture, which are kept in memory until the capture ends. All
// times are session times in ns.
//
//   batches   |  1  |  2  |  3  |  4  |  5  |
//   kept               [------ length ------]
//             old: a batch that ended before this interval
//
// The memory is limited to `most_buffers` buffers and `most_events` events. If there are more, the
// oldest batches count as old.
class KeptRecords {
 public:
  // The records and events that CUPTI delivered in the interval from `begin` to `end`.
  struct Batch {
    std::int64_t end = 0;  // everything in the batch happened before this time
    std::vector<Completed> buffers;
    std::vector<callbacks::Event> events;
    Losses losses;
    std::int64_t begin = 0;  // the end of the previous batch; set by add()
  };
  static constexpr std::size_t most_buffers = BufferPool::most / 2;
  static constexpr std::size_t most_events = std::size_t{1} << 20;

  // Keeps the last `length` of the capture. The recording began at `begin`.
  KeptRecords(std::chrono::nanoseconds length, std::int64_t begin)
      : length_(length.count()), end_(begin), gone_(begin) {}

  void add(Batch batch);
  // Returns the batches that are old after add(), oldest first.
  std::vector<Batch> take_old();
  std::deque<Batch> take_all();
  // Returns the time since which all records and events are kept.
  std::int64_t begin() const;

 private:
  bool has_old() const;

  const std::int64_t length_;
  std::deque<Batch> batches_;  // oldest first
  std::size_t buffers_ = 0;    // number of buffers in all batches
  std::size_t events_ = 0;     // number of events in all batches
  std::int64_t end_;           // the end of the newest batch
  std::int64_t gone_;          // the end of the last batch that take_old() has returned
};

}  // namespace lapscope::inject
