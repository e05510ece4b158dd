#include "collector/host_samples/system_calls.h"

#include <linux/futex.h>
#include <sys/syscall.h>

#include "collector/schema/enumeration.h"
#include "tests/catch.h"

namespace lapscope::host_samples {
namespace {

using callbacks::ThreadState;

TEST_CASE("system calls are told apart by what a thread waits for in them", "[host-samples]") {
  CHECK(state_in(SYS_futex) == ThreadState::lock);
  CHECK(state_in(SYS_read) == ThreadState::reading);
  CHECK(state_in(SYS_epoll_pwait) == ThreadState::polling);
  CHECK(state_in(SYS_clock_nanosleep) == ThreadState::sleeping);
  CHECK(state_in(SYS_waitid) == ThreadState::child);
  CHECK(state_in(SYS_ioctl) == ThreadState::driver);
  CHECK(state_in(SYS_sched_yield) == ThreadState::running);
  CHECK(state_in(SYS_mmap) == ThreadState::other);
}

TEST_CASE("a mutex is waited for otherwise than a condition", "[host-samples]") {
  CHECK(is_mutex_wait(FUTEX_WAIT_PRIVATE));
  CHECK(is_mutex_wait(FUTEX_LOCK_PI_PRIVATE));
  CHECK_FALSE(is_mutex_wait(FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME));
}

TEST_CASE("each state has a name in the trace", "[host-samples]") {
  const auto names = schema::enumeration("ENUM_LAPSCOPE_THREAD_STATE").values;
  // Only traces of other tools have the last state.
  REQUIRE(names.size() == static_cast<std::size_t>(ThreadState::garbage_collection) + 2);
  CHECK(names.back().name == "LAPSCOPE_THREAD_OFF_PROCESSOR");
  CHECK(names[static_cast<std::size_t>(ThreadState::garbage_collection)].name ==
        "LAPSCOPE_THREAD_GARBAGE_COLLECTION");
  CHECK(names[static_cast<std::size_t>(ThreadState::interpreter_lock)].name ==
        "LAPSCOPE_THREAD_INTERPRETER_LOCK");
  CHECK(names[static_cast<std::size_t>(ThreadState::driver)].name == "LAPSCOPE_THREAD_DRIVER");
  CHECK(names[static_cast<std::size_t>(ThreadState::other)].name == "LAPSCOPE_THREAD_OTHER");
}

}  // namespace
}  // namespace lapscope::host_samples
