#include "collector/callbacks/callback_queue.h"

#include <signal.h>
#include <sys/time.h>

#include <atomic>
#include <thread>

#include "tests/catch.h"

namespace lapscope::callbacks {
namespace {

GraphNode node(std::uint64_t id) {
  GraphNode made;
  made.node = id;
  return made;
}

TEST_CASE("events come out once, in their order", "[callbacks]") {
  EventQueue queue;
  queue.push(node(1));
  queue.push(node(2));
  const auto events = queue.take();
  REQUIRE(events.size() == 2);
  CHECK(std::get<GraphNode>(events[0]).node == 1);
  CHECK(std::get<GraphNode>(events[1]).node == 2);
  CHECK(queue.take().empty());
  CHECK(queue.take_lost() == 0);
}

TEST_CASE("more than the queue holds is counted", "[callbacks]") {
  EventQueue queue;
  for (std::size_t i = 0; i < EventQueue::most + 3; ++i) queue.push(node(i));
  CHECK(queue.take_lost() == 3);
  CHECK(queue.take_lost() == 0);
  CHECK(queue.take().size() == EventQueue::most);
  queue.push(node(1));
  CHECK(queue.take().size() == 1);
}

TEST_CASE("threads that push at once lose nothing", "[callbacks]") {
  EventQueue queue;
  constexpr int threads = 4;
  constexpr int each = 10'000;
  std::vector<std::thread> pushing;
  for (int i = 0; i < threads; ++i) {
    pushing.emplace_back([&queue] {
      for (int k = 0; k < each; ++k) queue.push(node(1));
    });
  }
  std::size_t taken = 0;
  while (taken < threads * each) taken += queue.take().size();
  for (std::thread& thread : pushing) thread.join();
  CHECK(taken == threads * each);
  CHECK(queue.take().empty());
}

// Two threads push alternately. For example, a cudaEventRecord of one thread must leave the queue
// before a later wait of the other thread for this event.
TEST_CASE("events leave the queue in the order in which threads pushed them", "[callbacks]") {
  EventQueue queue;
  constexpr std::uint64_t count = 20'000;
  std::atomic<std::uint64_t> next{0};
  const auto push_every_other = [&](std::uint64_t first) {
    for (std::uint64_t i = first; i < count; i += 2) {
      while (next.load(std::memory_order_acquire) != i) std::this_thread::yield();
      queue.push(node(i));
      next.store(i + 1, std::memory_order_release);
    }
  };
  std::thread even(push_every_other, 0);
  std::thread odd(push_every_other, 1);
  std::uint64_t seen = 0;
  bool in_order = true;
  while (seen < count) {
    for (const Event& event : queue.take()) {
      in_order = in_order && std::get<GraphNode>(event).node == seen;
      ++seen;
    }
  }
  even.join();
  odd.join();
  CHECK(in_order);
  CHECK(queue.left_behind() == 0);
}

EventQueue* interrupted_queue = nullptr;

// A signal handler can call exit(), whose exit handlers can call CUDA. The handler of this test may
// allocate memory, so the signal is blocked while the test allocates memory.
TEST_CASE("a signal handler can push while its thread is pushing", "[callbacks]") {
  EventQueue queue;
  for (int warm_up = 0; warm_up < 2; ++warm_up) {
    for (int i = 0; i < 4000; ++i) queue.push(node(0));
    queue.take();
  }
  interrupted_queue = &queue;
  static std::atomic<int> by_handler;
  by_handler = 0;
  struct sigaction action = {};
  struct sigaction before = {};
  action.sa_handler = [](int) {
    interrupted_queue->push(node(1));
    ++by_handler;
  };
  REQUIRE(::sigaction(SIGALRM, &action, &before) == 0);
  sigset_t alarm;
  ::sigemptyset(&alarm);
  ::sigaddset(&alarm, SIGALRM);
  const itimerval every_50_us{{0, 50}, {0, 50}};
  const itimerval never{};
  std::size_t taken = 0;
  std::size_t pushed = 0;
  REQUIRE(::setitimer(ITIMER_REAL, &every_50_us, nullptr) == 0);
  while (by_handler < 200) {
    for (int i = 0; i < 3000; ++i, ++pushed) queue.push(node(2));
    ::pthread_sigmask(SIG_BLOCK, &alarm, nullptr);
    taken += queue.take().size();
    ::pthread_sigmask(SIG_UNBLOCK, &alarm, nullptr);
  }
  ::setitimer(ITIMER_REAL, &never, nullptr);
  ::sigaction(SIGALRM, &before, nullptr);
  taken += queue.take().size();
  CHECK(taken == pushed + static_cast<std::size_t>(by_handler));
  CHECK(queue.take_lost() == 0);
}

}  // namespace
}  // namespace lapscope::callbacks
