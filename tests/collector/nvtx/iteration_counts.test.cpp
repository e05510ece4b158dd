#include "collector/nvtx/iteration_counts.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "tests/catch.h"

namespace lapscope::nvtx {
namespace {

using When = IterationCounts::Alarm::When;

class Alarm {
 public:
  Alarm() { ::socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair_); }
  ~Alarm() {
    ::close(pair_[0]);
    ::close(pair_[1]);
  }
  IterationCounts::Alarm at(When when, std::int64_t number, double factor = 0) const {
    return {when, "step", number, factor, pair_[1]};
  }
  bool has_rung() const {
    char byte = 0;
    return ::recv(pair_[0], &byte, 1, MSG_DONTWAIT) == 1;
  }

 private:
  int pair_[2] = {-1, -1};
};

void count(IterationCounts& counts, const std::string& name, int times, std::size_t depth = 0,
           bool is_default_domain = true) {
  for (int i = 0; i < times; ++i) counts.count(name, is_default_domain, depth);
}

using Ns = std::vector<std::int64_t>;

Ns timed(IterationCounts& counts, const std::string& name) {
  Ns ns;
  for (const auto& iteration : counts.timed(name)) ns.push_back(iteration.ns);
  return ns;
}

TEST_CASE("iterations are counted by name", "[nvtx]") {
  IterationCounts counts;
  CHECK(counts.begun("step") == 0);
  count(counts, "step", 3);
  count(counts, "forward", 1, 1);
  CHECK(counts.begun("step") == 3);
  CHECK(counts.begun("forward") == 1);
}

//   name      domain    depth  begun
//   training  default   0      1       it has begun once: no loop
//   step      default   1      10      <- the outermost loop
//   layer     default   2      120
//   reduce    another   0      40      the domain of a library
TEST_CASE("the outermost loop has the lowest depth of the names that have begun twice", "[nvtx]") {
  IterationCounts counts;
  CHECK_FALSE(counts.outermost_loop());
  count(counts, "training", 1);
  CHECK_FALSE(counts.outermost_loop());
  count(counts, "reduce", 40, 0, false);
  CHECK(counts.outermost_loop() == "reduce");
  count(counts, "layer", 120, 2);
  CHECK(counts.outermost_loop() == "layer");
  count(counts, "step", 10, 1);
  CHECK(counts.outermost_loop() == "step");
}

//   name      depth  begun  time
//   step      0      10     10 x 100   <- takes most
//   emit      0      900    900 x 1    many short ranges of another thread
TEST_CASE("of several loops at one depth, the outermost loop is the one that takes most time",
          "[nvtx]") {
  IterationCounts counts;
  count(counts, "step", 10);
  count(counts, "emit", 900);
  for (int i = 0; i < 10; ++i) counts.time("step", 0, 100);
  for (int i = 0; i < 900; ++i) counts.time("emit", 0, 1);
  CHECK(counts.outermost_loop() == "step");
}

TEST_CASE("an alarm rings when an iteration closes", "[nvtx]") {
  IterationCounts counts;
  const Alarm alarm;
  counts.set_alarm(alarm.at(When::close, 3));
  for (int i = 0; i < 2; ++i) {
    count(counts, "step", 1);
    counts.time("step", 0, 5);
  }
  count(counts, "step", 1);
  CHECK_FALSE(alarm.has_rung());
  counts.time("step", 0, 5);
  CHECK(alarm.has_rung());
}

TEST_CASE("an iteration during which the clock is set back is closed but not timed", "[nvtx]") {
  IterationCounts counts;
  const Alarm second;
  counts.set_alarm(second.at(When::close, 2));
  count(counts, "step", 3);
  counts.time("step", 100, 105);
  counts.time("step", 110, 90);
  CHECK(second.has_rung());
  CHECK(timed(counts, "step") == Ns{5});
  const Alarm third;
  counts.set_alarm(third.at(When::close, 3));
  CHECK_FALSE(third.has_rung());
  counts.time("step", 95, 102);
  CHECK(third.has_rung());
  CHECK(timed(counts, "step") == Ns{5, 7});
}

TEST_CASE("an alarm rings once, when its iteration begins", "[nvtx]") {
  IterationCounts counts;
  const Alarm alarm;
  counts.set_alarm(alarm.at(When::begin, 3));
  count(counts, "step", 2);
  count(counts, "other", 5);
  CHECK_FALSE(alarm.has_rung());
  count(counts, "step", 1);
  CHECK(alarm.has_rung());
  count(counts, "step", 1);
  CHECK_FALSE(alarm.has_rung());
}

TEST_CASE("an alarm at an iteration that has begun rings at once", "[nvtx]") {
  IterationCounts counts;
  const Alarm alarm;
  count(counts, "step", 3);
  counts.set_alarm(alarm.at(When::begin, 3));
  CHECK(alarm.has_rung());
}

TEST_CASE("an alarm that was cleared or replaced does not ring", "[nvtx]") {
  IterationCounts counts;
  const Alarm cleared;
  counts.set_alarm(cleared.at(When::begin, 1));
  counts.clear_alarm();
  const Alarm replaced;
  counts.set_alarm(replaced.at(When::begin, 1));
  const Alarm last;
  counts.set_alarm(last.at(When::begin, 2));
  count(counts, "step", 2);
  CHECK_FALSE(cleared.has_rung());
  CHECK_FALSE(replaced.has_rung());
  CHECK(last.has_rung());
}

TEST_CASE("after time_from(), only iterations that open at the given time or later are kept",
          "[nvtx]") {
  IterationCounts counts;
  count(counts, "step", 1);
  counts.time("step", 100, 105);
  CHECK(timed(counts, "step") == Ns{5});
  counts.time_from(IterationCounts::never);
  counts.time("step", 110, 117);
  CHECK(timed(counts, "step").empty());
  counts.time_from(130);
  counts.time("step", 121, 130);
  CHECK(timed(counts, "step").empty());  // without the iterations before the capture
  counts.time("step", 140, 146);
  CHECK(timed(counts, "step") == Ns{6});
  CHECK(timed(counts, "other").empty());
}

TEST_CASE("the last iterations are kept, oldest first", "[nvtx]") {
  IterationCounts counts;
  for (std::uint64_t ns = 1; ns <= 100; ++ns) {
    count(counts, "step", 1);
    counts.time("step", 1000, 1000 + ns);
  }
  const auto kept = counts.timed("step");
  REQUIRE(kept.size() == 64);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    CHECK(kept[i].number == static_cast<std::int64_t>(i + 37));
    CHECK(kept[i].ns == kept[i].number);
  }
}

TEST_CASE("an alarm rings when an iteration is slow", "[nvtx]") {
  IterationCounts counts;
  const Alarm alarm;
  count(counts, "step", 1);
  counts.set_alarm(alarm.at(When::slow, 0, 1.5));
  for (int i = 0; i < 15; ++i) counts.time("step", 0, 10);
  counts.time("step", 0, 20);  // too few earlier iterations for a comparison
  counts.time("step", 0, 10);
  counts.time("step", 0, 15);
  CHECK_FALSE(alarm.has_rung());
  counts.time("step", 0, 16);
  CHECK(alarm.has_rung());
  counts.time("step", 0, 16);
  CHECK_FALSE(alarm.has_rung());
}

TEST_CASE("names beyond the limit are not counted", "[nvtx]") {
  IterationCounts counts;
  for (int i = 0; i < 5000; ++i) counts.count("iteration " + std::to_string(i), true, 0);
  CHECK(counts.begun("iteration 0") == 1);
  CHECK(counts.begun("iteration 4999") == 0);
  const Alarm alarm;
  counts.set_alarm(alarm.at(When::begin, 1));
  count(counts, "step", 1);
  CHECK(alarm.has_rung());
}

TEST_CASE("threads that begin iterations at the same time lose none", "[nvtx]") {
  IterationCounts counts;
  const Alarm alarm;
  counts.set_alarm(alarm.at(When::begin, 4000));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) threads.emplace_back([&] { count(counts, "step", 1000); });
  for (std::thread& thread : threads) thread.join();
  CHECK(counts.begun("step") == 4000);
  CHECK(alarm.has_rung());
}

TEST_CASE("a forked child counts nothing and rings nothing", "[nvtx]") {
  IterationCounts counts;
  const Alarm alarm;
  count(counts, "step", 1);
  counts.set_alarm(alarm.at(When::begin, 2));
  const pid_t child = ::fork();
  if (child == 0) {
    count(counts, "step", 5);
    ::_exit(counts.begun("step") == 0 ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK_FALSE(alarm.has_rung());
}

}  // namespace
}  // namespace lapscope::nvtx
