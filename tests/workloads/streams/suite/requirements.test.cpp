#include "workloads/streams/suite/requirements.h"

#include <cstdlib>
#include <string>

#include "tests/catch.h"

namespace lapscope::workloads::streams {
namespace {

TEST_CASE("a variant sets its variables for the process", "[streams]") {
  setenv("LAPSCOPE_TEST_VARIABLE", "before", 1);
  set_environment({.name = "fixed", .environment = {{"LAPSCOPE_TEST_VARIABLE", "after"}}});
  REQUIRE(std::string(std::getenv("LAPSCOPE_TEST_VARIABLE")) == "after");
}

TEST_CASE("the memory that a case needs grows with its tiles", "[streams]") {
  const Memory small = memory_needed({.tiles = 4, .tile_mib = 1});
  const Memory large = memory_needed({.tiles = 40, .tile_mib = 16});
  // The host holds an input and an output of 40 tiles of 16 MiB.
  REQUIRE(large.host_bytes >= std::size_t{2} * 40 * 16 << 20);
  REQUIRE(large.host_bytes > small.host_bytes);
  REQUIRE(large.device_bytes > small.device_bytes);
}

}  // namespace
}  // namespace lapscope::workloads::streams
