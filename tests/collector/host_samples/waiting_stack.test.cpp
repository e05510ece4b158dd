#include "collector/host_samples/waiting_stack.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "tests/catch.h"
#include "tests/collector/host_samples/waits.h"

namespace lapscope::host_samples {
namespace {

// Runs `wait` in a thread.
template <class Wait>
struct Waiter {
  explicit Waiter(const Wait& wait) {
    if (!stacks::CallStacks::are_supported()) test::skip_because("stacks cannot be walked here");
#ifdef __SANITIZE_ADDRESS__
    test::skip_because("AddressSanitizer's own poll() and pthread_mutex_lock() use rbp");
#endif
    thread = std::thread([this, wait] {
      pthread = static_cast<std::uint64_t>(::pthread_self());
      id = static_cast<std::uint32_t>(::gettid());
      wait();
    });
    while (id == 0) std::this_thread::yield();
  }
  // Returns what the thread waits for, once it waits in this system call.
  Waiting in(bool (*is_wanted)(const Waiting&)) const {
    const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (std::chrono::steady_clock::now() < latest) {
      const auto waiting = waiting_of(id);
      if (waiting && is_wanted(*waiting)) return *waiting;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    test::skip_because("Linux does not say what a thread waits for");
  }
  std::atomic<std::uint32_t> id{0};
  std::atomic<std::uint64_t> pthread{0};
  std::thread thread;
};

bool is_in(std::uintptr_t address, std::uintptr_t begin) {
  return address > begin && address < begin + 128;
}

// Whether the chain of a thread that waits has a frame in the function that begins here.
bool has_frame(WaitingStack& stack, std::uint32_t id, std::uint64_t pthread, const Waiting& waiting,
               std::uintptr_t begin) {
  const auto copy = stack.copy(id, waiting);
  REQUIRE(copy.has_value());
  const auto stacks = std::make_unique<stacks::CallStacks>();
  const auto seen = stacks->look_at(pthread, &*copy);
  REQUIRE(seen.has_native);
  const auto chain = stacks->chains().chain(seen.chain);
  return std::any_of(chain.begin(), chain.end(),
                     [begin](const stacks::Frame& frame) { return is_in(frame.address, begin); });
}

TEST_CASE("the frames of a thread that waits for a lock are those of its functions",
          "[host-samples]") {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  ::pthread_mutex_lock(&mutex);
  Waiter waiter([&mutex] { test::wait_for_lock(mutex); });
  const Waiting waiting =
      waiter.in([](const Waiting& one) { return one.system_call == SYS_futex; });
  WaitingStack stack;
  CHECK(has_frame(stack, waiter.id, waiter.pthread, waiting,
                  reinterpret_cast<std::uintptr_t>(&test::wait_for_lock)));
  ::pthread_mutex_unlock(&mutex);
  waiter.thread.join();
  CHECK_FALSE(stack.copy(waiter.id, waiting).has_value());
}

TEST_CASE("a thread that waits for something else has no stack", "[host-samples]") {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  Waiter waiter([&ends] { test::wait_for_input(ends[0]); });
  const Waiting waiting = waiter.in([](const Waiting& one) { return one.system_call == SYS_poll; });
  WaitingStack stack;
  CHECK(has_frame(stack, waiter.id, waiter.pthread, waiting,
                  reinterpret_cast<std::uintptr_t>(&test::wait_for_input)));
  Waiting other = waiting;
  ++other.first;
  CHECK_FALSE(stack.copy(waiter.id, other).has_value());
  // Nothing can be read there.
  other = waiting;
  other.stack_pointer = 16;
  CHECK_FALSE(stack.copy(waiter.id, other).has_value());
  REQUIRE(::write(ends[1], "x", 1) == 1);
  waiter.thread.join();
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace lapscope::host_samples
