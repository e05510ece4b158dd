#include <string_view>
#include <vector>

#include "analyzer/iterations/find_iterations.h"
#include "tests/analyzer/support/picture.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

constexpr std::int64_t tid = 7;

// A loop on one thread. Iteration i has a range such as "step 3", a copy in [100 i + 10, 100 i +
// 30), and a kernel that ends at 100 i + 60. Two names of kernels alternate.
struct Loop {
  Trace trace;

  explicit Loop(int iterations, const std::string& range = "step ", bool kernel_has_name = true) {
    Ops ops;
    for (int i = 0; i < iterations; ++i) {
      const std::int64_t now = 100 * i;
      for (const Engine engine : {Engine::h2d, Engine::compute}) {
        const bool copy = engine == Engine::h2d;
        const std::int64_t called = now + (copy ? 1 : 3);
        trace.calls.start.push_back(called);
        trace.calls.end.push_back(called + 1);
        trace.calls.name.push_back(0);
        trace.calls.kind.push_back(CallKind::launch);
        test::add_op(ops, copy ? Interval{now + 10, now + 30} : Interval{now + 30, now + 60},
                     engine);
        ops.issue.back() = static_cast<std::uint32_t>(trace.calls.size() - 1);
        if (!copy && kernel_has_name) ops.name.back() = static_cast<std::uint32_t>(i % 2);
      }
      if (!range.empty()) add_range(range + std::to_string(i), {now, now + 6});
    }
    const auto calls = static_cast<std::uint32_t>(trace.calls.size());
    trace.calls.threads.push_back({tid, 0, calls, calls});
    trace.devices.push_back(test::device_with(ops));
  }

  void add_range(const std::string& name, Interval interval) {
    const auto id = static_cast<std::int64_t>(trace.names.size());
    trace.names.add(id, name);
    trace.ranges.push_back({interval, tid, trace.names.index_of(id)});
    std::sort(trace.ranges.begin(), trace.ranges.end(), [](const auto& a, const auto& b) {
      return a.interval.start != b.interval.start ? a.interval.start < b.interval.start
                                                  : a.interval.end > b.interval.end;
    });
  }

  const Ops& ops() const { return trace.devices[0].ops; }
  std::optional<Iterations> found() const {
    return find_iterations(trace, ops(), whole(ops()), HostTimeline(trace));
  }
  std::optional<Iterations> named(const std::string& pattern) const {
    return iterations_named(trace, ops(), whole(ops()), HostTimeline(trace), pattern);
  }
};

using Borders = std::vector<std::int64_t>;

TEST_CASE("ranges that differ in digits alone are iterations, each up to the next one's first op") {
  const auto found = Loop(5).found();
  REQUIRE(found.has_value());
  REQUIRE(found->range == "step *");
  REQUIRE(found->borders == Borders{10, 110, 210, 310, 410, 460});
  REQUIRE(found->ops == std::vector<std::uint32_t>{2, 2, 2, 2, 2});
}

TEST_CASE("ranges around several iterations, or inside an iteration, are not the iterations") {
  Loop loop(8);
  loop.add_range("epoch 0", {0, 400});
  loop.add_range("epoch 1", {400, 800});
  for (int i = 0; i < 8; ++i) loop.add_range("copy", {100 * i, 100 * i + 2});  // half the ops
  REQUIRE(loop.found()->range == "step *");
}

// In the alphabet, "execute" (of the library) comes before "step" (of the program).
TEST_CASE("ranges of the program are taken as iterations before equal ranges of a library") {
  Loop loop(8);
  for (int i = 0; i < 8; ++i) {
    loop.add_range("execute", {100 * i, 100 * i + 5});
    for (NvtxRange& range : loop.trace.ranges) {
      if (loop.trace.names.text(range.name) == "execute") range.domain = 1;
    }
  }
  REQUIRE(loop.found()->range == "step *");
}

TEST_CASE("three ranges are no iterations") { REQUIRE_FALSE(Loop(3).found().has_value()); }

TEST_CASE("a range inside a range of the same name is no iteration") {
  Loop loop(5, "call ");
  loop.add_range("call", {0, 500});
  for (int i = 0; i < 5; ++i) loop.add_range("call ", {100 * i, 100 * i + 6});
  REQUIRE(loop.found()->borders.size() == 6);
  loop.add_range("call 99", {0, 500});
  REQUIRE(loop.found()->range == "call ");
}

TEST_CASE("without ranges a sequence of ops that repeats is found") {
  const auto found = Loop(20, "").found();
  REQUIRE(found.has_value());
  REQUIRE(found->sequence == 4);  // the kernels of two iterations differ
  REQUIRE(found->ops.size() == 10);
  REQUIRE(found->borders.front() == 10);
  REQUIRE(found->borders[1] == 210);
}

TEST_CASE("a named range is taken whether or not it covers most of the ops") {
  const Loop loop(6);
  REQUIRE(loop.named("step *")->borders.size() == 7);
  REQUIRE_FALSE(loop.named("step 3").has_value());
  REQUIRE_FALSE(loop.named("other").has_value());
}

TEST_CASE("a named range inside another one that fits is a part of this iteration") {
  Loop loop(6, "call ");
  for (int i = 0; i < 6; ++i) loop.add_range("call inside", {100 * i + 2, 100 * i + 6});
  REQUIRE(loop.named("call *")->ops == std::vector<std::uint32_t>{2, 2, 2, 2, 2, 2});
  REQUIRE(loop.named("call inside")->ops == std::vector<std::uint32_t>{1, 1, 1, 1, 1, 1});
}

TEST_CASE("what runs after the loop is no part of the last iteration") {
  for (const char* range : {"step ", ""}) {
    Loop loop(20, range);
    test::add_op(loop.trace.devices[0].ops, {9000, 9010}, Engine::d2h);
    REQUIRE(loop.found()->borders.back() == 1960);
  }
  Loop loop(5);
  test::add_op(loop.trace.devices[0].ops, {9000, 9010}, Engine::d2h);
  REQUIRE(loop.named("step *")->borders.back() == 460);
}

// Thread 8 makes every second call.
Loop with_worker(int count) {
  Loop loop(count);
  Calls& calls = loop.trace.calls;
  const Calls old = calls;
  std::vector<std::uint32_t> place(old.size());
  std::uint32_t next = 0;
  for (const std::uint32_t parity : {0U, 1U}) {
    const std::uint32_t first = next;
    for (std::uint32_t call = parity; call < old.size(); call += 2) {
      place[call] = next;
      calls.start[next] = old.start[call];
      calls.end[next++] = old.end[call];
    }
    Calls::Thread thread{tid + parity, first, next, next};
    if (parity == 0) calls.threads.clear();
    calls.threads.push_back(thread);
  }
  for (std::uint32_t& call : loop.trace.devices[0].ops.issue) call = place[call];
  return loop;
}

TEST_CASE("what a thread without ranges issues is of the iteration that is open then") {
  const Loop loop = with_worker(5);
  REQUIRE(loop.found()->ops == std::vector<std::uint32_t>{2, 2, 2, 2, 2});
  REQUIRE(loop.named("step *")->ops == std::vector<std::uint32_t>{2, 2, 2, 2, 2});
  const auto own = iterations_named(loop.trace, loop.ops(), whole(loop.ops()),
                                    HostTimeline(loop.trace), "step *", RangeThreads::own);
  REQUIRE(own->ops == std::vector<std::uint32_t>{1, 1, 1, 1, 1});
}

TEST_CASE("so is what it issues in ranges of its own for a thread that waits meanwhile") {
  Loop loop = with_worker(5);
  const Calls& calls = loop.trace.calls;
  for (std::uint32_t call = calls.threads[1].first; call < calls.threads[1].last; ++call) {
    loop.add_range("backward", calls.interval(call));
    for (NvtxRange& range : loop.trace.ranges) {
      if (range.interval == calls.interval(call)) range.global_tid = calls.threads[1].global_tid;
    }
  }
  REQUIRE(loop.named("step *")->ops == std::vector<std::uint32_t>{2, 2, 2, 2, 2});
  REQUIRE(loop.named("backward")->ops == std::vector<std::uint32_t>{1, 1, 1, 1, 1});
}

Iterations lasting(std::initializer_list<std::int64_t> lengths) {
  Iterations iterations;
  iterations.borders = {0};
  for (const std::int64_t length : lengths) {
    iterations.borders.push_back(iterations.borders.back() + length);
  }
  return iterations;
}

TEST_CASE("the first iterations are warm-up while they take more than twice the median") {
  CHECK(warm_up_of(lasting({10, 10, 10, 10})) == 0);
  CHECK(warm_up_of(lasting({90, 10, 10, 10})) == 1);
  CHECK(warm_up_of(lasting({90, 50, 10, 12, 11})) == 2);
  CHECK(warm_up_of(lasting({20, 10, 10, 10})) == 0);
  CHECK(warm_up_of(lasting({10, 90, 10, 10})) == 0);  // slow iterations later on belong to the loop
}

TEST_CASE("an iteration is told with its range, or from its first call to its last") {
  REQUIRE(Loop(5).found()->host.at(1) == Interval{100, 106});
  REQUIRE(Loop(20, "").found()->host.at(1) == Interval{201, 304});
}

TEST_CASE("names are compared without their digits") {
  REQUIRE(without_digits("step 12") == "step *");
  REQUIRE(without_digits("12/34 of 5") == "*/* of *");
  REQUIRE(without_digits("forward") == "forward");
}

// Finds the repetition in entries, one per letter.
std::optional<Repetition> found_in(std::string_view letters) {
  const std::vector<std::uint32_t> sequence(letters.begin(), letters.end());
  return find_repetition(sequence, 4);
}

TEST_CASE("what comes again and again is found, with what is around it left out") {
  const auto found = found_in("xyzabcabcabcabcabcq");
  REQUIRE(found.has_value());
  REQUIRE(found->period == 3);
  REQUIRE(found->first == 3);
  REQUIRE(found->last == 18);
  REQUIRE(found->count() == 5);
}

TEST_CASE("a loop with the same op several times in it is found whole") {
  const auto found = found_in("aabaacaabaacaabaacaabaacaabaac");
  REQUIRE(found.has_value());
  REQUIRE(found->period == 6);
}

TEST_CASE("a loop around a small loop is found by a longer look") {
  // The unit "4 x (ab), c" occurs six times.
  const auto found = found_in("ababababcababababcababababcababababcababababcababababc");
  REQUIRE(found.has_value());
  REQUIRE(found->period == 9);
}

TEST_CASE("one op over and over is not a loop of anything") {
  REQUIRE_FALSE(found_in("aaaaaaaaaaaaaaaaaaaaaaaa").has_value());
}

TEST_CASE("a long run of one op, or of almost one, takes no longer than any other") {
  std::vector<std::uint32_t> sequence(400'000, 7);
  REQUIRE_FALSE(find_repetition(sequence, 4).has_value());
  sequence[sequence.size() / 2 + 50'000] = 8;
  REQUIRE_FALSE(find_repetition(sequence, 4).has_value());
}

TEST_CASE("fewer than four times, or less than half of all, is not enough") {
  REQUIRE_FALSE(found_in("abcdabcdabcd").has_value());
  REQUIRE_FALSE(found_in("qwertyuiopasdfghjklzxcababababcvbnmQWERTYUIOPASDFG").has_value());
}

TEST_CASE("nothing repeats in a sequence of different ops, or in none") {
  REQUIRE_FALSE(found_in("abcdefghijklmnopqrstuvwxyz").has_value());
  REQUIRE_FALSE(found_in("").has_value());
  REQUIRE_FALSE(found_in("a").has_value());
}

}  // namespace
}  // namespace lapscope::analyzer
