#include "collector/callbacks/event_queue.h"

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

}  // namespace
}  // namespace lapscope::callbacks
