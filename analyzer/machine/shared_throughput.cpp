#include "analyzer/machine/shared_throughput.h"

#include <algorithm>
#include <cmath>

namespace lapscope::analyzer {

void SharedThroughput::end_after(std::uint32_t task, double work, double last_wave_overlap) {
  mark(clock_.reading() + work, false, task);
  if (last_wave_overlap > 0)
    mark(clock_.reading() + std::max(0.0, work - last_wave_overlap), true, task);
}

void SharedThroughput::mark(double reading, bool is_last_wave, std::uint32_t task) {
  marks_.emplace(reading, is_last_wave, task);
}

std::optional<SharedThroughput::Next> SharedThroughput::next(Ns now) {
  clock_.pass(now);
  if (marks_.empty()) {
    last_.reset();
    return std::nullopt;
  }
  const auto& [reading, is_last_wave, task] = marks_.top();
  const double left = std::max(0.0, reading - clock_.reading()) / clock_.speed();
  Next next{task, now + std::llround(left), version_, !is_last_wave};
  const bool is_known =
      last_ && last_->task == next.task && last_->time == next.time && last_->ends == next.ends;
  if (is_known) return std::nullopt;
  next.version = ++version_;
  last_ = next;
  return next;
}

}  // namespace lapscope::analyzer
