#include "workloads/harness/host_work.h"

#include <stdexcept>

#include "tests/catch.h"

namespace lapscope::workloads {
namespace {

TEST_CASE("the work of the host is counted, and checked", "[workloads]") {
  HostWork work(std::chrono::microseconds(50));
  REQUIRE(work.us() > 0);
  REQUIRE_NOTHROW(work.verify(0));
  work.perform();
  work.perform();
  REQUIRE_NOTHROW(work.verify(2));
  REQUIRE_THROWS_AS(work.verify(3), std::runtime_error);
  work.reset();
  REQUIRE_NOTHROW(work.verify(0));
}

}  // namespace
}  // namespace lapscope::workloads
