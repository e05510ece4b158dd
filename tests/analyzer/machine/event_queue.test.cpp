#include "analyzer/machine/event_queue.h"

#include <queue>
#include <random>

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

bool is_same(const Event& a, const Event& b) { return !(a < b) && !(b < a); }

TEST_CASE("events of one instant come by kind, then by index, then by version") {
  EventQueue queue;
  queue.push({5, EventKind::starts, 1, 0});
  queue.push({5, EventKind::ready, 2, 0});
  queue.push({5, EventKind::ready, 1, 3});
  queue.push({5, EventKind::ready, 1, 2});
  queue.push({4, EventKind::starts, 9, 0});
  REQUIRE(queue.pop().time == 4);
  REQUIRE(is_same(queue.pop(), {5, EventKind::ready, 1, 2}));
  REQUIRE(is_same(queue.pop(), {5, EventKind::ready, 1, 3}));
  REQUIRE(is_same(queue.pop(), {5, EventKind::ready, 2, 0}));
  REQUIRE(is_same(queue.pop(), {5, EventKind::starts, 1, 0}));
  REQUIRE(queue.empty());
}

// The queue gets few or many events at once. Some are due soon, some much later, and a few in the
// past.
TEST_CASE("events come in the order that a heap gives them") {
  std::mt19937 random(7);
  const auto below = [&random](unsigned bound) { return static_cast<unsigned>(random() % bound); };
  EventQueue queue;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> expected;
  std::int64_t now = 0;
  for (int round = 0; round < 20'000; ++round) {
    const unsigned most = round / 1000 % 2 == 0 ? 4 : 90;
    while (expected.size() < most) {
      const Event event{now - 3 + below(round % 3 == 0 ? 10 : 200),
                        static_cast<EventKind>(below(6)), below(5), below(3)};
      queue.push(event);
      expected.push(event);
    }
    for (unsigned popped = below(2 * most); popped > 0 && !expected.empty(); --popped) {
      const Event event = queue.pop();
      REQUIRE(is_same(event, expected.top()));
      expected.pop();
      now = event.time;
    }
  }
}

}  // namespace
}  // namespace lapscope::analyzer
