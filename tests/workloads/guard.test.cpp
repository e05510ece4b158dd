#include "workloads/harness/guard.h"

#include "tests/catch.h"

namespace lapscope::workloads {
namespace {

const std::vector<std::string> names = {"pageable-copy", "peer-copies", "sync-event",
                                        "sync-device"};

TEST_CASE("a slip of the finger leads to the name that was meant", "[workloads]") {
  REQUIRE(nearest_name("pageable-cpoy", names) == "pageable-copy");
  REQUIRE(nearest_name("peer-copy", names) == "peer-copies");
  REQUIRE(nearest_name("syncevent", names) == "sync-event");
  REQUIRE(nearest_name("sync-event", names) == "sync-event");
}

TEST_CASE("something else altogether leads nowhere", "[workloads]") {
  REQUIRE(nearest_name("xylophone", names).empty());
  REQUIRE(nearest_name("", names).empty());
  REQUIRE(nearest_name("anything", {}).empty());
}

TEST_CASE("of two names equally near the first is taken", "[workloads]") {
  REQUIRE(nearest_name("abcx", {"abcd", "abce"}) == "abcd");
}

}  // namespace
}  // namespace lapscope::workloads
