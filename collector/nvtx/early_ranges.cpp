#include "collector/nvtx/early_ranges.h"

#include <unistd.h>

#include <algorithm>

#include "collector/process/clock.h"
#include "collector/process/thread_number.h"

namespace lapscope::nvtx {
namespace {

// Limit the memory for a program that opens ranges, never closes them and never uses CUDA.
constexpr std::size_t most_open = 4096;
constexpr std::size_t most_names = 65'536;

}  // namespace

// If another thread holds mutex_ during fork(), nobody ever unlocks mutex_ in the child. So every
// member function checks the process before it locks mutex_.
bool EarlyRanges::is_own_process() noexcept {
  const bool is_own = own_process_.is_here();
  if (!is_own) watching_.store(false, std::memory_order_relaxed);
  return is_own;
}

void EarlyRanges::name(const void* handle, std::string name) noexcept {
  if (!is_own_process()) return;
  try {
    const std::lock_guard lock(mutex_);
    if (names_.size() < most_names) names_.insert_or_assign(handle, std::move(name));
  } catch (...) {  // out of memory: the name is not kept
  }
}

std::string EarlyRanges::name_of(const void* handle) noexcept {
  if (!is_own_process()) return {};
  try {
    const std::lock_guard lock(mutex_);
    const auto known = names_.find(handle);
    return known == names_.end() ? std::string() : known->second;
  } catch (...) {
    return {};
  }
}

EarlyRanges::Range EarlyRanges::make_range(Domain domain, std::string text) {
  const auto named = names_.find(domain);
  return {--last_id_,
          process::utc_ns(),
          process::thread_id_before_fork(),
          named == names_.end() ? std::string() : named->second,
          std::move(text),
          false};
}

void EarlyRanges::push(Domain domain, std::string text) noexcept {
  if (!is_own_process()) return;
  try {
    const std::lock_guard lock(mutex_);
    const std::pair key(process::thread_id_before_fork(), domain);
    const auto stack = stacks_.find(key);
    if (keeps_watching_) {
      iterations_.count(text, !domain, stack == stacks_.end() ? 0 : stack->second.size());
    }
    if (keeps_new() && open_ < most_open) {
      stacks_[key].push_back(make_range(domain, std::move(text)));
      ++open_;
    } else if (stack != stacks_.end()) {
      stack->second.push_back(std::nullopt);
    }
  } catch (...) {  // out of memory: the range is lost, as without this class
  }
}

void EarlyRanges::pop(Domain domain) noexcept {
  if (!is_own_process()) return;
  try {
    const std::lock_guard lock(mutex_);
    const auto stack = stacks_.find({process::thread_id_before_fork(), domain});
    if (stack == stacks_.end()) return;
    const std::optional<Range> range = std::move(stack->second.back());
    stack->second.pop_back();
    if (stack->second.empty()) stacks_.erase(stack);
    if (range) report_end(*range);
  } catch (...) {
  }
}

void EarlyRanges::start(Domain domain, std::uint64_t nvtx_id, std::string text) noexcept {
  if (!is_own_process()) return;
  try {
    const std::lock_guard lock(mutex_);
    if (keeps_watching_) iterations_.count(text, !domain, 0);
    if (!keeps_new() || open_ >= most_open) return;
    if (started_.emplace(nvtx_id, make_range(domain, std::move(text))).second) ++open_;
  } catch (...) {
  }
}

void EarlyRanges::end(std::uint64_t nvtx_id) noexcept {
  if (!is_own_process()) return;
  try {
    const std::lock_guard lock(mutex_);
    const auto started = started_.find(nvtx_id);
    if (started == started_.end()) return;
    const Range range = std::move(started->second);
    started_.erase(started);
    report_end(range);
  } catch (...) {
  }
}

void EarlyRanges::report_end(const Range& range) {
  --open_;
  const std::uint64_t now = process::utc_ns();
  if (keeps_watching_) iterations_.time(range.text, range.time, now);
  if (!range.is_taken) return;
  const callbacks::EarlyRangeEnd end{now, process::thread_id_before_fork(), range.id};
  if (queue_) {
    queue_->push(end);
  } else {
    ends_.push_back(end);
  }
  stop_when_done();
}

void EarlyRanges::stop_when_done() {
  if (taken_ && open_ == 0 && !keeps_watching_) watching_.store(false, std::memory_order_relaxed);
}

std::vector<EarlyRanges::Range> EarlyRanges::take_open() noexcept {
  std::vector<Range> ranges;
  if (!is_own_process()) return ranges;
  try {
    const std::lock_guard lock(mutex_);
    taken_ = true;
    for_each_open([&ranges](Range& range) {
      range.is_taken = true;
      ranges.push_back(range);
    });
    std::sort(ranges.begin(), ranges.end(),
              [](const Range& a, const Range& b) { return a.id > b.id; });  // ids count down
    stop_when_done();
  } catch (...) {
    ranges.clear();
  }
  return ranges;
}

void EarlyRanges::end_recording() noexcept {
  if (!is_own_process()) return;
  try {
    const std::lock_guard lock(mutex_);
    taken_ = false;
    for_each_open([](Range& range) { range.is_taken = false; });
  } catch (...) {
  }
}

template <class Visit>
void EarlyRanges::for_each_open(Visit visit) {
  for (auto& [key, stack] : stacks_) {
    for (std::optional<Range>& range : stack) {
      if (range) visit(*range);
    }
  }
  for (auto& [id, range] : started_) visit(range);
}

void EarlyRanges::send_ends_to(callbacks::EventQueue& queue) noexcept {
  if (!is_own_process()) return;
  const std::lock_guard lock(mutex_);
  queue_ = &queue;
  for (const callbacks::EarlyRangeEnd& end : std::exchange(ends_, {})) queue.push(end);
}

}  // namespace lapscope::nvtx
