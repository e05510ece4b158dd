#include "collector/schema/global_id.h"

#include "tests/catch.h"

namespace lapscope::schema {
namespace {

TEST_CASE("global ids are those of Nsight Systems", "[schema]") {
  // The process 91186 of a published export.
  CHECK(global_pid(91186) == 283004823928832);
  CHECK(global_tid(91186, 91200) == 283004823928832 + 91200);
}

TEST_CASE("a global id gives back what it was made of", "[schema]") {
  constexpr std::uint32_t largest = 0xFFFFFF;
  for (const std::uint32_t pid : {1U, 4711U, 4194304U, largest}) {
    for (const std::uint32_t tid : {1U, 4711U, largest}) {
      CHECK(pid_of(global_tid(pid, tid)) == pid);
      CHECK(tid_of(global_tid(pid, tid)) == tid);
      CHECK(pid_of(global_pid(pid)) == pid);
      CHECK(tid_of(global_pid(pid)) == 0);
    }
  }
}

TEST_CASE("a call and an activity of one process agree on the upper bits", "[schema]") {
  CHECK(global_tid(4711, 4712) >> 24 == global_pid(4711) >> 24);
  CHECK(global_tid(4711, 4712) >> 24 != global_pid(4710) >> 24);
}

TEST_CASE("an id too large for its field does not reach into the next one", "[schema]") {
  CHECK(global_pid(0x1000001) == global_pid(1));
  CHECK(global_tid(1, 0x1000001) == global_tid(1, 1));
}

}  // namespace
}  // namespace lapscope::schema
