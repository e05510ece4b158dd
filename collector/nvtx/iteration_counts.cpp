#include "collector/nvtx/iteration_counts.h"

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <tuple>
#include <utility>

namespace lapscope::nvtx {
namespace {

// Limits the memory for programs that make a new name for each range.
constexpr std::size_t most_loops = 4096;

}  // namespace

void IterationCounts::count(const std::string& name, bool is_default_domain,
                            std::size_t depth) noexcept {
  if (name.empty() || !own_process_.is_here()) return;
  try {
    const std::lock_guard lock(mutex_);
    auto known = loops_.find(name);
    if (known == loops_.end()) {
      // Always count the name that the alarm waits for, even beyond the limit.
      const bool is_awaited = alarm_ && alarm_->name == name;
      if (loops_.size() >= most_loops && !is_awaited) return;
      known = loops_.emplace(name, Loop{}).first;
      known->second.depth = depth;
    }
    Loop& loop = known->second;
    ++loop.begun;
    loop.is_default_domain = loop.is_default_domain || is_default_domain;
    loop.depth = std::min(loop.depth, depth);
    if (alarm_ && alarm_->when == Alarm::When::begin && alarm_->name == name && is_due(loop))
      ring();
  } catch (...) {  // out of memory: the range is not counted
  }
}

void IterationCounts::time(const std::string& name, std::uint64_t open,
                           std::uint64_t close) noexcept {
  if (!own_process_.is_here()) return;
  try {
    const std::lock_guard lock(mutex_);
    const auto known = loops_.find(name);
    if (known == loops_.end()) return;
    Loop& loop = known->second;
    ++loop.closed;
    const bool is_awaited = alarm_ && alarm_->name == name;
    if (is_awaited && alarm_->when == Alarm::When::close && is_due(loop)) ring();
    if (close < open) return;  // the clock was set back
    const auto ns = static_cast<std::int64_t>(close - open);
    loop.total_ns += ns;
    if (open < timed_from_) return;
    if (is_awaited && alarm_ && alarm_->when == Alarm::When::slow &&
        is_slow(loop, ns, alarm_->factor)) {
      ring();
    }
    if (loop.next < loop.timed.size()) {
      loop.timed[loop.next] = {loop.begun, ns};
    } else {
      loop.timed.push_back({loop.begun, ns});
    }
    loop.next = (loop.next + 1) % most_timed;
  } catch (...) {  // out of memory: the range is not timed
  }
}

bool IterationCounts::is_slow(const Loop& loop, std::int64_t ns, double factor) {
  if (loop.timed.size() < enough_timed) return false;
  std::vector<Iteration> sorted = loop.timed;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>((sorted.size() - 1) / 2);
  std::nth_element(sorted.begin(), middle, sorted.end(),
                   [](const Iteration& a, const Iteration& b) { return a.ns < b.ns; });
  return static_cast<double>(ns) > factor * static_cast<double>(middle->ns);
}

bool IterationCounts::is_due(const Loop& loop) const {
  return (alarm_->when == Alarm::When::begin ? loop.begun : loop.closed) >= alarm_->count;
}

void IterationCounts::time_from(std::uint64_t from) noexcept {
  if (!own_process_.is_here()) return;
  const std::lock_guard lock(mutex_);
  timed_from_ = from;
  for (auto& [name, loop] : loops_) {
    loop.timed.clear();
    loop.next = 0;
  }
}

std::vector<IterationCounts::Iteration> IterationCounts::timed(const std::string& name) noexcept {
  std::vector<Iteration> iterations;
  if (!own_process_.is_here()) return iterations;
  try {
    const std::lock_guard lock(mutex_);
    const auto known = loops_.find(name);
    if (known == loops_.end()) return iterations;
    const Loop& loop = known->second;
    iterations = loop.timed;
    const std::size_t oldest = iterations.size() < most_timed ? 0 : loop.next;
    std::rotate(iterations.begin(), iterations.begin() + static_cast<std::ptrdiff_t>(oldest),
                iterations.end());
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
                        loop.total_ns);
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

void IterationCounts::set_alarm(Alarm alarm) noexcept {
  if (!own_process_.is_here()) return;
  const std::lock_guard lock(mutex_);
  alarm_ = std::move(alarm);
  if (alarm_->when == Alarm::When::slow) return;
  const auto known = loops_.find(alarm_->name);
  if (known != loops_.end() ? is_due(known->second) : alarm_->count <= 0) ring();
}

void IterationCounts::clear_alarm() noexcept {
  if (!own_process_.is_here()) return;
  const std::lock_guard lock(mutex_);
  alarm_.reset();
}

// Sends the byte of the alarm. Runs in threads of the program. Uses the system call, because a
// thread can be cancelled in send(). If the program has closed the socket, the descriptor may
// belong to a file of the program. In this case, the call fails.
void IterationCounts::ring() noexcept {
  const int kept = errno;
  const char byte = 1;
  ::syscall(SYS_sendto, alarm_->socket, &byte, sizeof byte, MSG_DONTWAIT | MSG_NOSIGNAL, nullptr,
            0);
  errno = kept;
  alarm_.reset();
}

}  // namespace lapscope::nvtx
