#include "collector/nvtx/iteration_counts.h"

#include <unistd.h>

#include <algorithm>
#include <limits>
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
    if (alarm_ && alarm_->count > 0 && alarm_->name == name && loop.begun >= alarm_->count) {
      ring(*alarm_);
      alarm_.reset();
    }
  } catch (...) {  // out of memory: the range is not counted
  }
}

void IterationCounts::time(const std::string& name, std::uint64_t open,
                           std::uint64_t close) noexcept {
  if (!own_process_.is_here()) return;
  try {
    const std::lock_guard lock(mutex_);
    const auto known = loops_.find(name);
    if (open < timed_from_ || close < open || known == loops_.end()) return;
    Loop& loop = known->second;
    const auto ns = static_cast<std::int64_t>(close - open);
    if (alarm_ && alarm_->count == 0 && alarm_->name == name && is_slow(loop, ns, alarm_->factor)) {
      ring(*alarm_);
      alarm_.reset();
    }
    const auto place = static_cast<std::size_t>(loop.timed) % most_timed;
    if (place < loop.ns.size()) {
      loop.ns[place] = ns;
    } else {
      loop.ns.push_back(ns);
    }
    ++loop.timed;
  } catch (...) {  // out of memory: the range is not timed
  }
}

bool IterationCounts::is_slow(const Loop& loop, std::int64_t ns, double factor) {
  if (loop.ns.size() < enough_timed) return false;
  std::vector<std::int64_t> sorted = loop.ns;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>((sorted.size() - 1) / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return static_cast<double>(ns) > factor * static_cast<double>(*middle);
}

void IterationCounts::pause_timing() noexcept {
  resume_timing(std::numeric_limits<std::uint64_t>::max());
}

void IterationCounts::resume_timing(std::uint64_t now) noexcept {
  if (!own_process_.is_here()) return;
  const std::lock_guard lock(mutex_);
  timed_from_ = now;
}

std::vector<IterationCounts::Iteration> IterationCounts::unrecorded(
    const std::string& name) noexcept {
  std::vector<Iteration> iterations;
  if (!own_process_.is_here()) return iterations;
  try {
    const std::lock_guard lock(mutex_);
    const auto known = loops_.find(name);
    if (known == loops_.end()) return iterations;
    const Loop& loop = known->second;
    const auto kept = static_cast<std::int64_t>(loop.ns.size());
    for (std::int64_t number = loop.timed - kept + 1; number <= loop.timed; ++number) {
      const auto place = static_cast<std::size_t>(number - 1) % most_timed;
      iterations.push_back({number, loop.ns[place]});
    }
  } catch (...) {
    iterations.clear();
  }
  return iterations;
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
    alarm_ = Alarm{name, count, 0, event};
    const auto known = loops_.find(name);
    const std::int64_t begun = known == loops_.end() ? 0 : known->second.begun;
    if (begun < count) return;
    ring(*alarm_);
    alarm_.reset();
  } catch (...) {
  }
}

void IterationCounts::set_slow_alarm(const std::string& name, double factor, int event) noexcept {
  if (!own_process_.is_here()) return;
  try {
    const std::lock_guard lock(mutex_);
    alarm_ = Alarm{name, 0, factor, event};
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
