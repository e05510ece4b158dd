#include "collector/host_samples/stack_copies.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "collector/process/thread_clock.h"
#include "tests/catch.h"
#include "tests/collector/host_samples/waits.h"

namespace lapscope::host_samples {
namespace {

constexpr std::chrono::milliseconds patience(1);
std::atomic<bool> ends{false};
std::atomic<std::uint64_t> turns{0};

[[gnu::noinline]] void innermost() {
  while (!ends.load(std::memory_order_relaxed)) turns.fetch_add(1, std::memory_order_relaxed);
}
[[gnu::noinline]] void outer() {
  innermost();
  asm volatile("");  // prevents a tail call, which would leave no frame
}

// A thread that runs innermost() until this object is destroyed.
struct Runner {
  Runner() {
    if (const int refusal = process::thread_clock_refusal(); refusal != 0) {
      test::skip_because(process::describe_refusal(refusal));
    }
    if (!stacks::CallStacks::are_supported()) test::skip_because("stacks cannot be walked here");
    ends = false;
    thread = std::thread([this] {
      id = static_cast<std::uint32_t>(::gettid());
      pthread = static_cast<std::uint64_t>(::pthread_self());
      outer();
    });
    const std::uint64_t before = turns;
    while (turns == before) std::this_thread::yield();
  }
  ~Runner() {
    ends = true;
    thread.join();
  }
  std::atomic<std::uint32_t> id{0};
  std::atomic<std::uint64_t> pthread{0};
  std::thread thread;
};

std::optional<RunningStacks::Copy> copy_of(RunningStacks& stacks, std::size_t place,
                                           std::uint32_t thread,
                                           std::chrono::nanoseconds most = patience) {
  return stacks.ask(place, thread) ? stacks.copy(place, most) : std::nullopt;
}

// Returns whether ten samples contain the stack. If other programs use the processors, a sample may
// fail. The test therefore tries for up to 20 s.
bool is_seen(RunningStacks& stacks, const Runner& runner, std::size_t place = 0) {
  const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  int seen = 0;
  while (seen < 10 && std::chrono::steady_clock::now() < latest) {
    seen += copy_of(stacks, place, runner.id).has_value();
  }
  return seen == 10;
}

bool is_in(std::uintptr_t address, void (*function)()) {
  const auto begin = reinterpret_cast<std::uintptr_t>(function);
  return address > begin && address < begin + 128;
}

TEST_CASE("the frames of a thread that runs are those of its functions", "[host-samples]") {
  const Runner runner;
  RunningStacks running;
  const auto stacks = std::make_unique<stacks::CallStacks>();
  const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  int looks = 0, right = 0;
  while (looks < 100 && std::chrono::steady_clock::now() < latest) {
    const auto copy = copy_of(running, 0, runner.id);
    if (!copy) continue;
    ++looks;
    const auto seen =
        stacks->look_at(python_frames::OwnProcess(), runner.pthread, [&] { return copy; });
    REQUIRE(seen.has_native);
    const auto chain = stacks->chains().chain(seen.chain);
    // Without optimization, innermost() calls functions of std::atomic.
    std::size_t inner = 0;
    while (inner < chain.size() && !is_in(chain[inner].address, innermost)) ++inner;
    right += inner <= 3 && chain.size() > inner + 2 && is_in(chain[inner + 1].address, outer) &&
             chain[inner].module != 0;
  }
  INFO(right << " of " << looks << " are right");
  CHECK(looks == 100);
  CHECK(right > looks * 9 / 10);
}

TEST_CASE("a thread that waits has no stack by its clock", "[host-samples]") {
  const Runner runner;
  RunningStacks running;
  std::atomic<std::uint32_t> id{0};
  std::atomic<bool> stops{false};
  std::thread waiter([&] {
    id = static_cast<std::uint32_t>(::gettid());
    stops.wait(false);
  });
  while (id == 0) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK_FALSE(copy_of(running, 0, id));
  CHECK(is_seen(running, runner, 1));
  stops = true;
  stops.notify_all();
  waiter.join();
  // The waiting thread has ended, so its place is free after forget(0). The runner gets this place.
  CHECK_FALSE(copy_of(running, 2, id));
  running.forget(0);
  CHECK(is_seen(running, runner));
  CHECK_FALSE(running.ask(RunningStacks::most, runner.id));
}

TEST_CASE("a stack that came too late does not keep later ones from being seen", "[host-samples]") {
  const Runner runner;
  RunningStacks stacks;
  CHECK(is_seen(stacks, runner));
  // Linux copies a stack some 10 us after the request.
  for (int i = 0; i < 100; ++i) copy_of(stacks, 0, runner.id, std::chrono::nanoseconds(0));
  int tries = 0;
  for (int in_a_row = 0; in_a_row < 10 && tries < 100; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    // Other programs may use the processors.
    in_a_row = copy_of(stacks, 0, runner.id, std::chrono::milliseconds(100)) ? in_a_row + 1 : 0;
  }
  CHECK(tries < 30);
}

// Daemons close all descriptors, also those of the collector. Programs do so before an exec, too.
TEST_CASE("the program may close descriptors of the collector and use their numbers",
          "[host-samples]") {
  const Runner runner;
  const int next = ::dup(STDERR_FILENO);
  ::close(next);
  const auto stacks = std::make_unique<RunningStacks>();
  REQUIRE(is_seen(*stacks, runner));
  REQUIRE(::fcntl(next, F_GETFD) == FD_CLOEXEC);  // the descriptor of the clock
  std::array<int, 2> pipe{};
  REQUIRE(::pipe(pipe.data()) == 0);
  REQUIRE(::dup2(pipe[1], next) == next);
  CHECK(is_seen(*stacks, runner));
  CHECK(::write(next, "x", 1) == 1);
  ::close(next);
  CHECK(is_seen(*stacks, runner));
  REQUIRE(::dup2(pipe[1], next) == next);
  stacks->forget(0);
  CHECK(::write(next, "x", 1) == 1);
  for (const int file : {next, pipe[0], pipe[1]}) ::close(file);
}

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
  // Returns what the thread waits for, once the thread is in poll().
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
