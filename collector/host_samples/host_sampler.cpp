#include "collector/host_samples/host_sampler.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <random>
#include <system_error>
#include <utility>

#include "collector/host_samples/system_calls.h"
#include "collector/process/clock.h"
#include "collector/process/signals_blocked.h"
#include "collector/python_frames/snapshot.h"

namespace lapscope::host_samples {
namespace {

using callbacks::HostSample;
using callbacks::ThreadState;
using process::read_clock;
using process::SignalsBlocked;
using python_frames::OwnProcess;

// The maximum time that one call of look() waits, in total, for threads that could run but have no
// processor. The time is short, because stop() waits until look() returns.
constexpr std::chrono::milliseconds longest_wait(10);

// The distance in bytes from the futex word to the thread id of the owner, in glibc's
// pthread_mutex_t.
constexpr std::uintptr_t owner_in_mutex = 8;

// Returns the id of the thread that holds the mutex at an address. Returns 0 if the mutex has no
// owner, or if the memory no longer contains a mutex.
std::uint32_t owner_of_mutex(const OwnProcess& process, std::uint64_t address) noexcept {
  const python_frames::Place place{static_cast<std::uintptr_t>(address) + owner_in_mutex,
                                   sizeof(std::uint32_t)};
  std::array<std::byte, sizeof(std::uint32_t)> bytes{};
  if (python_frames::copy_memory(process, {&place, 1}, bytes) != 1) return 0;
  const auto owner = python_frames::value_in<std::uint32_t>(bytes.data(), 0);
  return has_thread(owner) ? owner : 0;
}

// Gives the calling thread a table of descriptors of its own, which is empty. The program then
// cannot close descriptors that this thread opens, and these descriptors do not count towards the
// program's limit. Returns false on Linux before 5.9. There, unshare() would also make a table, but
// would keep the program's files open.
bool take_own_descriptors() noexcept {
  constexpr unsigned unshare = 1U << 1U;  // CLOSE_RANGE_UNSHARE
  return ::syscall(SYS_close_range, 0U, ~0U, unshare) == 0;
}

}  // namespace

HostSampler::HostSampler(process::WatchedThreads& threads, callbacks::EventQueue& events,
                         stacks::CallStacks* stacks, std::chrono::nanoseconds interval,
                         bool with_native)
    : threads_(threads),
      events_(events),
      stacks_(stacks),
      interval_(interval),
      with_native_frames_(stacks && with_native) {}

void HostSampler::start() {
  if (stopping_ && !done_) throw std::system_error(EBUSY, std::generic_category());
  stopping_ = done_ = false;
  for (std::atomic<std::int64_t>* count :
       {&taken_, &without_stack_, &torn_, &late_, &cpu_, &running_, &with_native_}) {
    count->store(0, std::memory_order_relaxed);
  }
  if (with_native_frames_) running_stacks_.emplace();
  collections_.emplace(events_);
  const SignalsBlocked blocked(SignalsBlocked::Which::of_the_program);
  thread_ = std::thread([this] {
    ::pthread_setname_np(::pthread_self(), "lapscope-host");
    run();
    running_stacks_.reset();
    for (ThreadFiles& files : files_) files.close();
    const std::lock_guard lock(mutex_);
    done_ = true;
    changed_.notify_all();
  });
}

void HostSampler::stop(std::chrono::milliseconds deadline) noexcept {
  try {
    std::unique_lock lock(mutex_);
    if (!thread_.joinable()) return;
    stopping_ = true;
    changed_.notify_all();
    const bool ended = changed_.wait_for(lock, deadline, [this] { return done_; });
    lock.unlock();
    ended ? thread_.join() : thread_.detach();
  } catch (...) {
    return;
  }
}

void HostSampler::run() noexcept {
  // The times between samples are random. With a fixed period, all samples could show the same part
  // of a loop of the program.
  std::minstd_rand random;
  const auto varied = [&random](std::chrono::nanoseconds mean) {
    return mean / 2 +
           std::chrono::nanoseconds(static_cast<std::int64_t>(random()) % (mean.count() + 1));
  };
  has_own_descriptors_ = take_own_descriptors();
  process_.emplace(OwnProcess::SignalsAreBlocked{});
  auto next = Clock::now() + varied(interval_);
  for (std::int64_t before = 0;;) {
    {
      std::unique_lock lock(mutex_);
      if (changed_.wait_until(lock, next, [this] { return stopping_; })) return;
    }
    const auto begin = Clock::now();
    if (begin - next > interval_ / 2) late_.fetch_add(1, std::memory_order_relaxed);
    look();
    // The CPU time that this thread has used so far. It grows by more than the time in look(),
    // because waking up takes CPU time, too.
    const std::int64_t cpu = read_clock(CLOCK_THREAD_CPUTIME_ID);
    cpu_.store(cpu, std::memory_order_relaxed);
    const std::chrono::nanoseconds rest(static_cast<std::int64_t>(
        static_cast<double>(cpu - std::exchange(before, cpu)) / most_of_processor));
    next = std::max(next + varied(interval_), begin + varied(rest));
    // Missed rounds of samples are skipped.
    if (const auto now = Clock::now(); next < now) next = now + varied(interval_);
  }
}

void HostSampler::look() noexcept {
  const std::size_t used = threads_.used();
  // If a thread could run but has no processor, the sampler waits for it, at most until `latest`.
  const auto latest = Clock::now() + longest_wait;
  for (std::size_t place = 0; place < used; ++place) take(place, latest);
  const auto seen = stacks_ ? stacks_->garbage_collections(*process_) : std::nullopt;
  if (seen) collections_->add(*seen, read_clock(CLOCK_REALTIME), read_clock(CLOCK_MONOTONIC));
}

void HostSampler::take(std::size_t place, Clock::time_point latest) noexcept {
  const process::WatchedThreads::Thread thread = threads_.at(place);
  if (thread.id == 0) return;
  const ThreadLook look = files_[place].look_at(thread.id);
  if (look.has_ended) {
    threads_.remove(place);
    if (running_stacks_) running_stacks_->forget(place);
    return;
  }
  HostSample sample;
  sample.time = process::utc_ns();
  sample.thread = thread.id;
  set_state(look, sample);
  if (look.times) {
    sample.on_cpu = look.times->on_cpu;
    sample.runnable = look.times->runnable;
  }
  if (stacks_ && thread.pthread != 0) take_stack(place, thread, look, latest, sample);
  if (sample.chain == 0) without_stack_.fetch_add(1, std::memory_order_relaxed);
  if (!has_own_descriptors_) {
    files_[place].close();
    if (running_stacks_) running_stacks_->forget(place);
  }
  taken_.fetch_add(1, std::memory_order_relaxed);
  events_.push(sample);
}

void HostSampler::take_stack(std::size_t place, const process::WatchedThreads::Thread& thread,
                             const ThreadLook& look, Clock::time_point latest,
                             HostSample& sample) noexcept {
  Waited& waited = waited_[place];
  const bool has_not_run = look.waiting && look.times && waited.thread == thread.id &&
                           waited.waiting == *look.waiting && waited.on_cpu == look.times->on_cpu;
  if (has_not_run) {
    sample.chain = waited.chain;
    return;
  }
  const bool runs = sample.state == ThreadState::running;
  if (runs) running_.fetch_add(1, std::memory_order_relaxed);
  // Linux makes the copy when the thread has run for some 10 us after ask(). The sampler reads the
  // Python frames in the meantime, so it calls ask() first.
  const bool will_be_copied =
      runs && !look.waiting && running_stacks_ && running_stacks_->ask(place, thread.id);
  bool is_copied = false;
  const auto copy = [&] {
    std::optional<stacks::CallStacks::StackCopy> found;
    if (look.waiting) {
      found = waiting_stack_.copy(files_[place], *look.waiting);
    } else if (will_be_copied) {
      found = running_stacks_->copy(place, latest - Clock::now());
    }
    is_copied = found.has_value();
    return found;
  };
  const stacks::CallStacks::SeenThread seen =
      stacks_->look_at(*process_, thread.pthread, std::ref(copy));
  sample.chain = seen.chain;
  if (runs && seen.has_native) with_native_.fetch_add(1, std::memory_order_relaxed);
  // Only a running thread gets this state. If a thread waits in a finalizer, the state of its wait
  // is more exact.
  if (seen.python.collects_garbage && runs) sample.state = ThreadState::garbage_collection;
  if (seen.python.is_torn) torn_.fetch_add(1, std::memory_order_relaxed);
  waited = {};
  if (look.waiting && look.times && is_copied && !seen.python.is_torn) {
    waited = {thread.id, *look.waiting, look.times->on_cpu, seen.chain};
  }
}

void HostSampler::set_state(const ThreadLook& look, HostSample& sample) const noexcept {
  if (!look.says_what) {
    sample.state = look.letter == 'R'   ? ThreadState::running
                   : look.letter == 'D' ? ThreadState::uninterruptible
                                        : ThreadState::unknown;
    return;
  }
  sample.state = ThreadState::running;
  if (!look.waiting) return;
  sample.state = ThreadState::uninterruptible;
  if (look.waiting->system_call < 0) return;
  sample.system_call = static_cast<std::int32_t>(look.waiting->system_call);
  sample.state = state_in(look.waiting->system_call);
  if (!is_futex(look.waiting->system_call)) return;
  if (stacks_ && stacks_->is_of_interpreter(static_cast<std::uintptr_t>(look.waiting->first))) {
    sample.state = ThreadState::interpreter_lock;
  } else if (is_mutex_wait(look.waiting->second)) {
    sample.holder = owner_of_mutex(*process_, look.waiting->first);
  }
}

HostSampler::Counts HostSampler::counts() const noexcept {
  const auto of = [](const std::atomic<std::int64_t>& count) {
    return count.load(std::memory_order_relaxed);
  };
  return {interval_.count(), of(taken_), of(without_stack_), of(torn_),
          of(late_),         of(cpu_),   of(running_),       of(with_native_)};
}

}  // namespace lapscope::host_samples
