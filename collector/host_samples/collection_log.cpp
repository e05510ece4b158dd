#include "collector/host_samples/collection_log.h"

namespace lapscope::host_samples {

using python_frames::GarbageCollections;

void CollectionLog::add(const GarbageCollections& seen, std::int64_t now,
                        std::int64_t monotonic) noexcept {
  for (std::size_t i = 0; i < seen.of.size() && last_look_ != 0; ++i) {
    const std::int64_t before = last_.of[i].count;
    callbacks::Collections ended;
    ended.after = static_cast<std::uint64_t>(last_look_);
    ended.by = static_cast<std::uint64_t>(now);
    ended.generation = static_cast<std::uint8_t>(i);
    std::int64_t left = seen.of[i].count - before;
    ended.count = 1;
    for (const GarbageCollections::Known& one : seen.of[i].known) {
      if (one.number <= before || one.number > seen.of[i].count || one.end > monotonic) continue;
      ended.begin = static_cast<std::uint64_t>(now - (monotonic - one.begin));
      ended.end = static_cast<std::uint64_t>(now - (monotonic - one.end));
      events_.push(ended);
      --left;
    }
    if (left <= 0) continue;
    ended.begin = ended.end = 0;
    ended.count = left;
    events_.push(ended);
  }
  last_ = seen;
  last_look_ = now;
}

}  // namespace lapscope::host_samples
