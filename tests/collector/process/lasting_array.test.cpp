#include "collector/process/lasting_array.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <limits>

#include "tests/catch.h"

namespace lapscope::process {
namespace {

TEST_CASE("an array is zero, and keeps what is written", "[process]") {
  LastingArray<std::uint64_t> array(1U << 20U);
  REQUIRE(array.size() == 1U << 20U);
  CHECK(array[0] == 0);
  array[(1U << 20U) - 1] = 7;
  CHECK(array[(1U << 20U) - 1] == 7);
}

TEST_CASE("where the kernel refuses the array is empty", "[process]") {
  const LastingArray<char> array(std::numeric_limits<std::size_t>::max() / 2);
  CHECK(array.empty());
  CHECK(array.size() == 0);
}

TEST_CASE("what is wiped on fork is zero in the child alone", "[process]") {
  LastingArray<int> array(100);
  array.wipe_on_fork();
  array[3] = 5;
  const pid_t child = ::fork();
  if (child == 0) ::_exit(array[3]);
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(array[3] == 5);
}

}  // namespace
}  // namespace lapscope::process
