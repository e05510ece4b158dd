#include "collector/bare/range_times.h"

#include <chrono>
#include <thread>

#include "tests/catch.h"
#include "tests/collector/support/child.h"

namespace lapscope::bare {
namespace {

using test::TemporaryFolder;

// Runs `body` in a separate process, because a process keeps its measured times. Returns false if
// `body` throws.
bool holds(const std::function<void()>& body) {
  test::Child child([&body] {
    try {
      body();
    } catch (const std::exception&) {
      return 1;
    }
    return 0;
  });
  return child.wait().exit_status == 0;
}

void expect(bool condition) {
  if (!condition) throw std::runtime_error("not as expected");
}

void pass(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

bool is_about(std::int64_t ns, int milliseconds) {
  return ns >= std::int64_t{milliseconds} * 1'000'000 &&
         ns < std::int64_t{milliseconds} * 1'000'000 + 500'000'000;
}

const RangeTime& find(const std::vector<RangeTime>& times, const std::string& name) {
  for (const RangeTime& time : times) {
    if (time.name == name) return time;
  }
  throw std::runtime_error("no range " + name);
}

TEST_CASE("ranges of one text are added up", "[bare]") {
  CHECK(holds([] {
    for (int i = 0; i < 3; ++i) {
      push(nullptr, "step");
      pass(2);
      pop(nullptr);
    }
    const auto times = range_times();
    expect(times.size() == 1);
    expect(times[0].name == "step" && times[0].count == 3);
    expect(is_about(times[0].ns, 6));
  }));
}

// outer  |--------------|
// inner     |----|
TEST_CASE("ranges nest, and one that is open has no time yet", "[bare]") {
  CHECK(holds([] {
    expect(push(nullptr, "outer") == 0);
    expect(push(nullptr, "inner") == 1);
    pass(2);
    expect(pop(nullptr) == 1);
    const auto while_open = range_times();
    expect(while_open.size() == 1 && while_open[0].name == "inner");
    expect(pop(nullptr) == 0);
    expect(pop(nullptr) < 0);  // one pop more than pushes
    const auto times = range_times();
    expect(times.size() == 2);
    expect(find(times, "outer").ns >= find(times, "inner").ns);
  }));
}

// default  |----A----|
// other       |----B----|
TEST_CASE("every domain has a stack of its own", "[bare]") {
  CHECK(holds([] {
    const int other = 0;
    push(nullptr, "A");
    push(&other, "B");
    pop(nullptr);
    pass(2);
    pop(&other);
    const auto times = range_times();
    expect(find(times, "A").count == 1 && find(times, "B").count == 1);
    expect(find(times, "B").ns > find(times, "A").ns);
  }));
}

TEST_CASE("threads have stacks of their own, and their times outlive them", "[bare]") {
  CHECK(holds([] {
    push(nullptr, "work");
    for (int i = 0; i < 2; ++i) {
      std::thread([] {
        expect(pop(nullptr) < 0);
        push(nullptr, "work");
        pop(nullptr);
      }).join();
    }
    expect(find(range_times(), "work").count == 2);
    pop(nullptr);
    expect(find(range_times(), "work").count == 3);
  }));
}

// Returns the time in ns that `body` takes. A measured time may be a little longer: the counter's
// rate is measured, too.
template <class Body>
std::int64_t wall_of(Body body) {
  const auto begin = std::chrono::steady_clock::now();
  body();
  const auto wall = std::chrono::steady_clock::now() - begin;
  return 102 * std::chrono::duration_cast<std::chrono::nanoseconds>(wall).count() / 100;
}

//   thread 1  |-----------|
//   thread 2     |--| |-------|
//   pass(20)  ^  ^  ^ ^   ^
TEST_CASE("while several ranges of a name are open, the time counts once", "[bare]") {
  CHECK(holds([] {
    const std::int64_t wall = wall_of([] {
      const std::uint64_t first = start("work");
      pass(20);
      push(nullptr, "work");
      pass(20);
      pop(nullptr);
      pass(20);
      const std::uint64_t last = start("work");
      expect(first != last);
      pass(20);
      end(first);
      pass(20);
      end(last);
    });
    const auto times = range_times();
    expect(times.size() == 1 && times[0].count == 3);
    expect(times[0].ns >= 100'000'000 && times[0].ns <= wall);
  }));
}

TEST_CASE("the time between ranges of a name does not count", "[bare]") {
  CHECK(holds([] {
    const std::int64_t wall = wall_of([] {
      for (int i = 0; i < 2; ++i) {
        push(nullptr, "work");
        pass(5);
        pop(nullptr);
        pass(50);
      }
    });
    expect(range_times()[0].ns >= 10'000'000);
    expect(range_times()[0].ns <= wall - 100'000'000);
  }));
}

TEST_CASE("threads that open and close ranges at the same time agree on the time", "[bare]") {
  CHECK(holds([] {
    constexpr int threads = 4;
    constexpr int ranges = 20'000;
    const std::int64_t wall = wall_of([] {
      std::vector<std::thread> all;
      for (int i = 0; i < threads; ++i) {
        all.emplace_back([] {
          for (int j = 0; j < ranges; ++j) {
            push(nullptr, "work");
            pop(nullptr);
          }
        });
      }
      for (std::thread& thread : all) thread.join();
    });
    const auto times = range_times();
    expect(times[0].count == threads * ranges);
    expect(times[0].ns > 0 && times[0].ns <= wall);
  }));
}

TEST_CASE("a range that a thread leaves open ends with the thread, and is not counted", "[bare]") {
  CHECK(holds([] {
    std::thread([] {
      push(nullptr, "work");
      push(nullptr, "other");
    }).join();
    expect(range_times().empty());
    pass(200);
    const std::int64_t wall = wall_of([] {
      push(nullptr, "work");
      pass(5);
      pop(nullptr);
    });
    const auto times = range_times();
    expect(times.size() == 1 && times[0].count == 1);
    expect(times[0].ns >= 5'000'000 && times[0].ns <= wall);
  }));
}

TEST_CASE("a range may be ended by another thread", "[bare]") {
  CHECK(holds([] {
    const std::uint64_t id = start("across");
    expect(id != 0);
    pass(2);
    std::thread([id] { end(id); }).join();
    end(0);  // no range has this id
    const auto times = range_times();
    expect(times.size() == 1 && times[0].count == 1);
    expect(is_about(times[0].ns, 2));
  }));
}

TEST_CASE("a program that makes up texts without end keeps its memory", "[bare]") {
  CHECK(holds([] {
    for (std::size_t i = 0; i < most_names + 10; ++i) {
      push(nullptr, "tile " + std::to_string(i));
      pop(nullptr);
    }
    end(start("one more"));
    expect(range_times().size() == most_names);
    expect(ranges_without_times() == 11);
    push(nullptr, "tile 0");
    pop(nullptr);
    expect(find(range_times(), "tile 0").count == 2);
  }));
}

TEST_CASE("equal texts have one handle", "[bare]") {
  const std::string* handle = handle_of("a domain");
  REQUIRE(handle != nullptr);
  CHECK(*handle == "a domain");
  CHECK(handle_of(std::string("a ") + "domain") == handle);
  CHECK(handle_of("another") != handle);
}

TEST_CASE("ticks are turned into time", "[bare]") {
  const std::int64_t begin = ticks();
  pass(20);
  const double ns = ns_of_ticks(ticks() - begin);
  CHECK(ns >= 20e6);
  CHECK(ns < 520e6);
}

TEST_CASE("what a process wrote is read again, whatever its texts are", "[bare]") {
  const TemporaryFolder folder;
  const ProcessTimes times{"3", 7, {{"plain", 1, 2}, {"with\nlines \\ and \\n", 3, 4}, {"", 5, 6}}};
  write_times(folder.path(), times);
  const auto read = read_times(folder.path());
  REQUIRE(read.size() == 1);
  CHECK(read[0].rank == "3");
  CHECK(read[0].without_times == 7);
  CHECK(read[0].ranges == times.ranges);
}

TEST_CASE("a file that was not written to its end is no times", "[bare]") {
  const TemporaryFolder folder;
  test::write_file(folder / "1.times", "0 \n1 2 a\n");
  test::write_file(folder / "2.times", "0 \n1 x a\nend\n");
  test::write_file(folder / "3.times", "");
  test::write_file(folder / "4.other", "0 \nend\n");
  CHECK(read_times(folder.path()).empty());
  test::write_file(folder / "5.times", "0 \nend\n");
  CHECK(read_times(folder.path()).size() == 1);
  CHECK(read_times(folder / "none").empty());
}

}  // namespace
}  // namespace lapscope::bare
