#include "analyzer/model/host_samples.h"

#include <algorithm>
#include <array>

namespace lapscope::analyzer {

std::string_view name_of(ThreadState state) {
  constexpr std::array<std::string_view, thread_states> names = {
      "unknown",         "running", "lock",     "interpreter_lock",
      "reading",         "polling", "sleeping", "child",
      "uninterruptible", "driver",  "other",    "garbage_collection",
      "off_processor"};
  return names[static_cast<std::size_t>(state)];
}

bool is_waiting(ThreadState state) {
  switch (state) {
    case ThreadState::unknown:
    case ThreadState::running:
    case ThreadState::garbage_collection:
    case ThreadState::off_processor:
      return false;
    default:
      return true;
  }
}

Ns ran_between(const std::vector<Ns>& clock, std::uint32_t a, std::uint32_t b) {
  if (clock.empty() || clock[a] == HostSamples::not_told || clock[b] < clock[a]) {
    return HostSamples::not_told;
  }
  return clock[b] - clock[a];
}

namespace {

using Thread = HostSamples::Thread;

const Thread* find(const std::vector<Thread>& threads, std::int64_t global_tid) {
  const auto found = std::lower_bound(
      threads.begin(), threads.end(), global_tid,
      [](const Thread& thread, std::int64_t wanted) { return thread.global_tid < wanted; });
  return found == threads.end() || found->global_tid != global_tid ? nullptr : &*found;
}

}  // namespace

const Thread* HostSamples::of(std::int64_t global_tid) const { return find(threads, global_tid); }

const Thread* HostSamples::Spans::of(std::int64_t global_tid) const {
  return find(threads, global_tid);
}

}  // namespace lapscope::analyzer
