#include "collector/host_samples/thread_files.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <thread>

#include "tests/catch.h"

namespace lapscope::host_samples {
namespace {

TEST_CASE("a thread that runs waits in no call", "[host-samples]") {
  CHECK_FALSE(parse_waiting("running\n").has_value());
  CHECK_FALSE(parse_waiting("").has_value());
}

TEST_CASE("a thread that waits has a call and its arguments", "[host-samples]") {
  const auto waiting = parse_waiting("202 0x7f0eee8abec0 0x80 0x2 0x0 0x0 0x0 0x7ffe 0x7f0e\n");
  REQUIRE(waiting.has_value());
  CHECK(waiting->system_call == 202);
  CHECK(waiting->first == 0x7f0eee8abec0U);
  CHECK(waiting->second == 0x80U);
  CHECK(waiting->stack_pointer == 0x7ffeU);
  CHECK(waiting->instruction == 0x7f0eU);
}

TEST_CASE("what waits outside of calls has the number -1", "[host-samples]") {
  const auto waiting = parse_waiting("-1 0x7ffe 0x7f0e\n");
  REQUIRE(waiting.has_value());
  CHECK(waiting->system_call == -1);
  CHECK(waiting->stack_pointer == 0x7ffeU);
  CHECK(waiting->instruction == 0x7f0eU);
}

TEST_CASE("a line that is cut off says nothing", "[host-samples]") {
  CHECK_FALSE(parse_waiting("202 0x7f0e").has_value());
  CHECK_FALSE(parse_waiting("202 0x7f0e 0x80 0x2 0x0 0x0 0x0 0x7ffe").has_value());
  CHECK_FALSE(parse_waiting("-1 0x7ffe").has_value());
  CHECK_FALSE(parse_times("51112330").has_value());
  CHECK(parse_letter("6260 (p)") == '\0');
}

TEST_CASE("times are those on a processor and without one", "[host-samples]") {
  const auto times = parse_times("51112330 24878 2\n");
  REQUIRE(times.has_value());
  CHECK(times->on_cpu == 51112330);
  CHECK(times->runnable == 24878);
}

TEST_CASE("a name may look like what follows it", "[host-samples]") {
  CHECK(parse_letter("6260 (p) R (x) S 6166 6166") == 'S');
}

TEST_CASE("the calling thread is there, and one that has ended is gone", "[host-samples]") {
  const auto id = static_cast<std::uint32_t>(::gettid());
  ThreadFiles files;
  const ThreadLook look = files.look_at(id);
  CHECK_FALSE(look.has_ended);
  CHECK(look.says_what);
  CHECK(look.times.has_value());
  CHECK(has_thread(id));
  std::uint32_t other = 0;
  std::thread([&other] { other = static_cast<std::uint32_t>(::gettid()); }).join();
  CHECK(files.look_at(other).has_ended);
  CHECK_FALSE(has_thread(other));
  CHECK_FALSE(has_thread(0));
}

}  // namespace
}  // namespace lapscope::host_samples
