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

// A thread that waits for input until this object is destroyed.
struct Waiter {
  Waiter() {
    if (!stacks::CallStacks::are_supported()) test::skip_because("stacks cannot be walked here");
    REQUIRE(::pipe(ends.data()) == 0);
    thread = std::thread([this] {
      pthread = static_cast<std::uint64_t>(::pthread_self());
      id = static_cast<std::uint32_t>(::gettid());
      test::wait_for_input(ends[0]);
    });
  }
  ~Waiter() {
    end();
    for (const int file : ends) ::close(file);
  }
  void end() {
    if (!thread.joinable()) return;
    CHECK(::write(ends[1], "x", 1) == 1);
    thread.join();
  }
  // Waits until the thread is in poll(). Returns this wait.
  Waiting waiting() {
    const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (std::chrono::steady_clock::now() < latest) {
      const auto found = files.look_at(id).waiting;
      if (found && found->system_call == SYS_poll) return *found;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    test::skip_because("Linux does not say what a thread waits for");
  }
  std::array<int, 2> ends{};
  ThreadFiles files;
  std::atomic<std::uint32_t> id{0};
  std::atomic<std::uint64_t> pthread{0};
  std::thread thread;
};

TEST_CASE("the frames of a thread that waits are those of its functions", "[host-samples]") {
  Waiter waiter;
  const Waiting waiting = waiter.waiting();
  WaitingStack stack;
  const auto copy = stack.copy(waiter.files, waiting);
  REQUIRE(copy.has_value());
  const auto stacks = std::make_unique<stacks::CallStacks>();
  const auto seen =
      stacks->look_at(python_frames::OwnProcess(), waiter.pthread, [&] { return copy; });
  REQUIRE(seen.has_native);
  const auto chain = stacks->chains().chain(seen.chain);
  REQUIRE(chain.size() > 2);
  const auto caller = reinterpret_cast<std::uintptr_t>(&test::wait_for_input);
  CHECK(chain[1].address > caller);
  constexpr std::uintptr_t most_bytes = 512;  // of the function, with sanitizers
  CHECK(chain[1].address < caller + most_bytes);
  waiter.end();
  CHECK_FALSE(stack.copy(waiter.files, waiting).has_value());
}

TEST_CASE("a thread that waits for something else has no stack", "[host-samples]") {
  Waiter waiter;
  Waiting other = waiter.waiting();
  ++other.first;
  CHECK_FALSE(WaitingStack().copy(waiter.files, other).has_value());
}

}  // namespace
}  // namespace lapscope::host_samples
