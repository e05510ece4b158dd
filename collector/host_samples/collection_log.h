#pragma once

#include <cstdint>

#include "collector/callbacks/callback_queue.h"
#include "collector/python_frames/garbage_collections.h"

namespace lapscope::host_samples {

// Finds which garbage collections have ended from look to look. Their number is exact. Their time
// is known to within the time between two looks, or exactly for those whose time the interpreter
// keeps. For one thread.
class CollectionLog {
 public:
  explicit CollectionLog(callbacks::EventQueue& events) : events_(events) {}

  // What was seen at `now` (ns, UTC), when CLOCK_MONOTONIC was at `monotonic`. The first look
  // reports nothing: it is not known when the collections that it sees took place.
  void add(const python_frames::GarbageCollections& seen, std::int64_t now,
           std::int64_t monotonic) noexcept;

 private:
  callbacks::EventQueue& events_;
  python_frames::GarbageCollections last_;
  std::int64_t last_look_ = 0;
};

}  // namespace lapscope::host_samples
