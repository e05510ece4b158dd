#include "readers/tables/host_record.h"

#include "tests/analyzer/support/program.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

TEST_CASE("threads are told of by their ids, and the times between their outermost calls") {
  test::Program program(R"(
    thread 2            a..b
    thread 1            aa.b..a
    ab = cudaLaunchKernel
  )",
                        1);
  HostRecord record(program.trace);
  const std::vector<std::uint32_t> threads = record.threads();
  REQUIRE(threads.size() == 2);
  CHECK(program.trace.calls.threads[threads[0]].global_tid <
        program.trace.calls.threads[threads[1]].global_tid);
  CHECK(record.between_calls(threads[0]) == std::vector<Interval>{{2, 3}, {4, 6}});
  CHECK(record.between_calls(threads[1]) == std::vector<Interval>{{1, 3}});
}

TEST_CASE("each text and each stack is there once") {
  test::Program program("thread 1 a.a\na = cudaLaunchKernel\n", 1);
  HostRecord record(program.trace);
  CHECK(record.name("") == 0);
  const std::uint32_t load = record.name("load");
  CHECK(program.trace.names.text(load) == "load");
  CHECK(record.name("load") == load);
  const Frame frame{load};
  const Frame other{record.name("log")};
  CHECK(record.chain({}) == CallStacks::none);
  const std::uint32_t chain = record.chain({{frame, other}});
  CHECK(record.chain({{frame, other}}) == chain);
  CHECK(record.chain({{other, frame}}) != chain);
}

TEST_CASE("a trace of which only is told what could not be seen has no samples") {
  test::Program program("thread 1 a....a\na = cudaLaunchKernel\n", 1);
  HostRecord record(program.trace);
  record.add_span(0, {1, 3}, ThreadState::unknown, CallStacks::none);
  record.finish(10);
  CHECK_FALSE(program.trace.host_samples.were_taken());
  record.add_span(0, {1, 3}, ThreadState::unknown, CallStacks::none);
  record.add_span(0, {3, 5}, ThreadState::off_processor, CallStacks::none);
  record.finish(10);
  CHECK(program.trace.host_samples.were_taken());
  CHECK(program.trace.host_samples.interval_ns == 0);  // no samples were taken
  CHECK(program.trace.host_samples.spans.size() == 2);
}

}  // namespace
}  // namespace lapscope::analyzer
