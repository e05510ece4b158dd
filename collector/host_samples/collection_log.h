#pragma once

#include <cstdint>

#include "collector/callbacks/callback_queue.h"
#include "collector/python_frames/garbage_collections.h"

namespace lapscope::host_samples {

// The sampler repeatedly reads how many garbage collections the interpreter has made. This class
// reports the collections that ended between two readings. The number of collections is exact. If
// the interpreter stores the times of a collection, these times are exact, too. Otherwise it is
// only known that the collection ended between the two readings. Only one thread may use this
// class.
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
