#include "collector/nvtx/early_ranges.h"

#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "tests/catch.h"
#include "tests/collector/support/child.h"

namespace lapscope::nvtx {
namespace {

using callbacks::EarlyRangeEnd;
using callbacks::EventQueue;

std::vector<std::string> texts(const std::vector<EarlyRanges::Range>& ranges) {
  std::vector<std::string> found;
  for (const auto& range : ranges) found.push_back(range.text);
  return found;
}

std::vector<std::int64_t> ended(EventQueue& queue) {
  std::vector<std::int64_t> ids;
  for (const callbacks::Event& event : queue.take()) {
    ids.push_back(std::get<EarlyRangeEnd>(event).range);
  }
  return ids;
}

using Texts = std::vector<std::string>;
using Ids = std::vector<std::int64_t>;

//   |-- a ----------------|
//     |b|  |-- c ---------------       still open
//              |cuInit
TEST_CASE("the ranges that are open when the recording begins are handed over", "[nvtx]") {
  EarlyRanges ranges;
  ranges.push(nullptr, "a");
  ranges.push(nullptr, "b");
  ranges.pop(nullptr);
  ranges.start(nullptr, 7, "c");
  const auto open = ranges.take_open();
  CHECK(texts(open) == Texts{"a", "c"});
  REQUIRE(open.size() == 2);
  CHECK(open[0].id < 0);
  CHECK(open[1].id < 0);
  CHECK(open[0].id != open[1].id);
  CHECK(open[0].thread == static_cast<std::uint32_t>(::gettid()));
  CHECK(open[0].time > 1'600'000'000'000'000'000);
  CHECK(open[0].time <= open[1].time);
}

TEST_CASE("the end of a range that was handed over is told with its id, time and thread",
          "[nvtx]") {
  EarlyRanges ranges;
  ranges.push(nullptr, "a");
  const auto open = ranges.take_open();
  EventQueue queue;
  ranges.send_ends_to(queue);
  ranges.pop(nullptr);
  const auto events = queue.take();
  REQUIRE(events.size() == 1);
  const auto end = std::get<EarlyRangeEnd>(events[0]);
  CHECK(end.range == open.at(0).id);
  CHECK(end.thread == static_cast<std::uint32_t>(::gettid()));
  CHECK(end.time >= open.at(0).time);
}

//   |-- a -----------------------|
//      |-- b ------------|
//             |cuInit
//                |- c -|                   begins later: CUPTI records it
TEST_CASE("a range that begins later is distinguished from ranges that were open", "[nvtx]") {
  EarlyRanges ranges;
  ranges.push(nullptr, "a");
  ranges.push(nullptr, "b");
  const auto open = ranges.take_open();
  EventQueue queue;
  ranges.send_ends_to(queue);
  ranges.push(nullptr, "c");
  ranges.pop(nullptr);
  CHECK(ended(queue).empty());
  ranges.pop(nullptr);
  CHECK(ended(queue) == Ids{open.at(1).id});
  ranges.pop(nullptr);
  CHECK(ended(queue) == Ids{open.at(0).id});
  ranges.pop(nullptr);  // one pop more than pushes
  CHECK(ended(queue).empty());
}

TEST_CASE("domains and threads have stacks of their own", "[nvtx]") {
  EarlyRanges ranges;
  const int handle = 0;
  ranges.name(&handle, "loader");
  ranges.push(nullptr, "plain");
  ranges.push(&handle, "in a domain");
  const auto open = ranges.take_open();
  EventQueue queue;
  ranges.send_ends_to(queue);
  REQUIRE(open.size() == 2);
  CHECK(open[0].domain.empty());
  CHECK(open[1].domain == "loader");
  std::thread([&ranges] { ranges.pop(nullptr); }).join();
  CHECK(ended(queue).empty());
  ranges.pop(nullptr);
  CHECK(ended(queue) == Ids{open[0].id});
  ranges.pop(&handle);
  CHECK(ended(queue) == Ids{open[1].id});
}

TEST_CASE("a started range may be ended by any thread", "[nvtx]") {
  EarlyRanges ranges;
  ranges.start(nullptr, 7, "c");
  const auto open = ranges.take_open();
  EventQueue queue;
  ranges.send_ends_to(queue);
  ranges.start(nullptr, 8, "later");
  ranges.end(8);
  CHECK(ended(queue).empty());
  std::thread([&ranges] { ranges.end(7); }).join();
  CHECK(ended(queue) == Ids{open.at(0).id});
}

TEST_CASE("an end between the hand-over and the queue is not lost", "[nvtx]") {
  EarlyRanges ranges;
  ranges.push(nullptr, "a");
  const auto open = ranges.take_open();
  ranges.pop(nullptr);
  EventQueue queue;
  ranges.send_ends_to(queue);
  CHECK(ended(queue) == Ids{open.at(0).id});
}

TEST_CASE("nothing is watched once nothing is open any more", "[nvtx]") {
  EarlyRanges none;
  CHECK(none.is_watching());
  CHECK(none.take_open().empty());
  CHECK_FALSE(none.is_watching());
  EarlyRanges one;
  one.push(nullptr, "a");
  one.take_open();
  CHECK(one.is_watching());
  one.pop(nullptr);
  CHECK_FALSE(one.is_watching());
}

TEST_CASE("a program that never closes its ranges does not fill the memory", "[nvtx]") {
  EarlyRanges ranges;
  for (int i = 0; i < 10'000; ++i) {
    ranges.push(nullptr, "again");
    ranges.start(nullptr, static_cast<std::uint64_t>(i), "and again");
  }
  CHECK(ranges.take_open().size() == 4096);
}

TEST_CASE("a forked child sees nothing", "[nvtx]") {
  EarlyRanges ranges;
  ranges.push(nullptr, "a");
  test::Child child([&ranges] {
    ranges.push(nullptr, "b");
    return ranges.take_open().empty() && !ranges.is_watching() ? 0 : 1;
  });
  CHECK(child.wait().exit_status == 0);
  CHECK(texts(ranges.take_open()) == Texts{"a"});
}

TEST_CASE("each of several recordings is handed the ranges that are open when it begins",
          "[nvtx]") {
  EarlyRanges ranges;
  EventQueue queue;
  ranges.keep_watching();
  ranges.send_ends_to(queue);
  ranges.push(nullptr, "a");
  CHECK(texts(ranges.take_open()) == Texts{"a"});
  ranges.start(nullptr, 7, "b");
  ranges.end_recording();
  CHECK(ranges.is_watching());
  const auto open = ranges.take_open();
  CHECK(texts(open) == Texts{"a", "b"});
  ranges.push(nullptr, "c");
  ranges.pop(nullptr);
  CHECK(ended(queue).empty());  // CUPTI reports this range
  ranges.end(7);
  ranges.pop(nullptr);
  REQUIRE(open.size() == 2);
  CHECK(ended(queue) == Ids{open[1].id, open[0].id});
}

TEST_CASE("the end of a range between two recordings is not told", "[nvtx]") {
  EarlyRanges ranges;
  EventQueue queue;
  ranges.keep_watching();
  ranges.send_ends_to(queue);
  ranges.push(nullptr, "a");
  CHECK(ranges.take_open().size() == 1);
  ranges.end_recording();
  ranges.pop(nullptr);
  CHECK(ended(queue).empty());
  CHECK(ranges.take_open().empty());
}

}  // namespace
}  // namespace lapscope::nvtx
