#include "analyzer/causes/cause.h"

#include <set>

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

TEST_CASE("every cause has a code of its own, which leads back to it") {
  std::set<std::string_view> codes;
  for (std::size_t i = 0; i < cause_count; ++i) {
    const auto cause = static_cast<Cause>(i);
    INFO(code_of(cause));
    REQUIRE_FALSE(code_of(cause).empty());
    REQUIRE(codes.insert(code_of(cause)).second);
    REQUIRE(cause_of_code(code_of(cause)) == cause);
  }
  REQUIRE_FALSE(cause_of_code("no-such-cause"));
  REQUIRE_FALSE(cause_of_code(""));
}

TEST_CASE("the host is to blame for what was not issued yet, and for nothing else") {
  REQUIRE(is_of_host(Cause::host_sync));
  REQUIRE(is_of_host(Cause::host_compute));
  REQUIRE_FALSE(is_of_host(Cause::graph_edge));
  REQUIRE_FALSE(is_of_host(Cause::host_func));
  REQUIRE_FALSE(is_of_host(Cause::unexplained));
}

}  // namespace
}  // namespace lapscope::analyzer
