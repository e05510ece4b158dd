#include "collector/nvtx/iteration_counts.h"

#include <unistd.h>

#include <algorithm>
#include <tuple>

namespace lapscope::nvtx {
namespace {

// Limits the memory for programs that make a new name for each range.
constexpr std::size_t most_loops = 4096;

}  // namespace

void IterationCounts::count(const std::string& name, bool is_default_domain,
                            std::size_t depth) noexcept {
  if (!own_process_.is_here()) return;
  try {
    const std::lock_guard lock(mutex_);
    const auto known = loops_.find(name);
    if (known == loops_.end() && loops_.size() >= most_loops) return;
    Loop& loop = known == loops_.end() ? loops_.emplace(name, Loop{0, false, depth}).first->second
                                       : known->second;
    ++loop.begun;
    loop.is_default_domain = loop.is_default_domain || is_default_domain;
    loop.depth = std::min(loop.depth, depth);
    if (alarm_ && alarm_->name == name && loop.begun >= alarm_->count) {
      ring(*alarm_);
      alarm_.reset();
    }
  } catch (...) {  // out of memory: the range is not counted
  }
}

std::int64_t IterationCounts::begun(const std::string& name) noexcept {
  if (!own_process_.is_here()) return 0;
  const std::lock_guard lock(mutex_);
  const auto known = loops_.find(name);
  return known == loops_.end() ? 0 : known->second.begun;
}

std::optional<std::string> IterationCounts::outermost_loop() noexcept {
  if (!own_process_.is_here()) return std::nullopt;
  try {
    const std::lock_guard lock(mutex_);
    const auto rank = [](const Loop& loop) {
      return std::tuple(loop.begun >= 2, loop.is_default_domain, -std::int64_t(loop.depth),
                        loop.begun);
    };
    const auto best = std::max_element(
        loops_.begin(), loops_.end(),
        [&](const auto& one, const auto& other) { return rank(one.second) < rank(other.second); });
    if (best == loops_.end() || best->second.begun < 2) return std::nullopt;
    return best->first;
  } catch (...) {
    return std::nullopt;
  }
}

void IterationCounts::set_alarm(const std::string& name, std::int64_t count, int event) noexcept {
  if (!own_process_.is_here()) return;
  try {
    const std::lock_guard lock(mutex_);
    alarm_ = Alarm{name, count, event};
    const auto known = loops_.find(name);
    const std::int64_t begun = known == loops_.end() ? 0 : known->second.begun;
    if (begun < count) return;
    ring(*alarm_);
    alarm_.reset();
  } catch (...) {
  }
}

void IterationCounts::clear_alarm() noexcept {
  if (!own_process_.is_here()) return;
  const std::lock_guard lock(mutex_);
  alarm_.reset();
}

// Does not block: the counter of an eventfd is far from full.
void IterationCounts::ring(const Alarm& alarm) noexcept {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(alarm.event, &one, sizeof one);
}

}  // namespace lapscope::nvtx
