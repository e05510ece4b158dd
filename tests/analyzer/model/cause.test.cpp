#include "analyzer/model/cause.h"

#include <set>

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

TEST_CASE("every cause has a code of its own, and is found by it") {
  REQUIRE(cause_codes.size() == cause_count);
  const std::set<std::string_view> different(cause_codes.begin(), cause_codes.end());
  REQUIRE(different.size() == cause_count);
  for (std::size_t i = 0; i < cause_count; ++i) {
    const auto cause = static_cast<Cause>(i);
    REQUIRE(cause_of_code(code_of(cause)) == cause);
  }
  REQUIRE(code_of(Cause::default_stream_barrier) == "default-stream-barrier");
  REQUIRE(code_of(Cause::host_sync) == "host-sync");
  REQUIRE(code_of(Cause::unexplained) == "unexplained");
}

TEST_CASE("what is no code is no cause") {
  REQUIRE_FALSE(cause_of_code(""));
  REQUIRE_FALSE(cause_of_code("host_sync"));
  REQUIRE_FALSE(cause_of_code("host-issue"));
}

TEST_CASE("the host is to blame for what was not issued yet, and for nothing else") {
  REQUIRE(is_of_host(Cause::host_sync));
  REQUIRE(is_of_host(Cause::host_compute));
  REQUIRE(is_of_host(Cause::profiler));
  REQUIRE_FALSE(is_of_host(Cause::launch_latency));
  REQUIRE_FALSE(is_of_host(Cause::not_issued));
  REQUIRE_FALSE(is_of_host(Cause::graph_edge));
  REQUIRE_FALSE(is_of_host(Cause::host_func));
  REQUIRE_FALSE(is_of_host(Cause::unexplained));
}

}  // namespace
}  // namespace lapscope::analyzer
