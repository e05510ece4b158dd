#pragma once

#include <cstdint>

#include "collector/callbacks/callback_queue.h"
#include "collector/python_frames/garbage_collections.h"

namespace lapscope::host_samples {

// Reports the garbage collections that ended between two readings of the interpreter's count. Their
// number is exact. Their times are exact only if the interpreter stores them. Otherwise it is only
// known between which two readings a collection ended. Only one thread may use this class.
class CollectionLog {
 public:
  explicit CollectionLog(callbacks::EventQueue& events) : events_(events) {}

  // Adds a reading that the sampler made at `now` (ns, UTC), when CLOCK_MONOTONIC was at
  // `monotonic`. The first call reports no collections, because the times of the collections before
  // it are unknown.
  void add(const python_frames::GarbageCollections& seen, std::int64_t now,
           std::int64_t monotonic) noexcept;

 private:
  callbacks::EventQueue& events_;
  python_frames::GarbageCollections last_;
  std::int64_t last_look_ = 0;
};

}  // namespace lapscope::host_samples
