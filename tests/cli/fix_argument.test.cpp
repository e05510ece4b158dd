#include "cli/fix_argument.h"

#include "tests/catch.h"

namespace lapscope::cli {
namespace {

TEST_CASE("a fix is asked for by its code, with a value where it takes one") {
  REQUIRE(parse_fix("stream-order").value == 0);
  REQUIRE(parse_fix("stream-order:1").value == 1);
  REQUIRE(parse_fix("host-sync:2").value == 2);
  REQUIRE(parse_fix("stream-order:1000000").value == 1e6);
  REQUIRE(parse_fix("scale:h2d=0.001").value == 1e-3);
  REQUIRE(parse_fix("scale:compute=1000000").value == 1e6);
}

TEST_CASE("several fixes are asked for with commas, which a site's name may have as well") {
  const auto two = parse_fixes("stream-order,host-sync:2");
  REQUIRE(two.size() == 2);
  CHECK(two[0].fix->cause == analyzer::Cause::stream_order);
  CHECK(two[1].fix->cause == analyzer::Cause::host_sync);
  CHECK(two[1].value == 2);
  const auto site = parse_fixes("host-sync:site=kernel<int, 4>");
  REQUIRE(site.size() == 1);
  CHECK(site[0].site == "kernel<int, 4>");
  REQUIRE_THROWS_WITH(parse_fixes("stream-order,"), test::Containing("is no fix"));
}

TEST_CASE("values that no program has are refused with what may be given") {
  for (const char* text :
       {"stream-order:0", "stream-order:0.5", "stream-order:1000001", "stream-order:4294967296",
        "stream-order:nan", "stream-order:inf", "stream-order:", "stream-order:-1"}) {
    INFO(text);
    REQUIRE_THROWS_WITH(parse_fix(text), test::Containing("from 1 to 1000000"));
  }
  for (const char* text :
       {"scale:compute=1e-30", "scale:compute=0", "scale:compute=1e7", "scale:compute=nan",
        "scale:compute=", "scale:compute", "scale:wings=2"}) {
    INFO(text);
    REQUIRE_THROWS_WITH(parse_fix(text), test::Containing("0.001 to 1000000"));
  }
}

TEST_CASE("a call site that is none is refused") {
  REQUIRE_THROWS_WITH(parse_fix("host-sync:site="), test::Containing("names no call site"));
  REQUIRE(parse_fix("host-sync:site=cuda* in tile *").site == "cuda* in tile *");
}

TEST_CASE("what is no cause, and what no fix mends, is refused with the fixes that there are") {
  REQUIRE_THROWS_WITH(parse_fix("stream-oder"),
                      test::Containing("is no fix; did you mean 'stream-order'?"));
  REQUIRE_THROWS_WITH(parse_fix("host_sync"), test::Containing("did you mean 'host-sync'?"));
  REQUIRE_THROWS_WITH(parse_fix("wings"), test::Containing("stream-order, "));
  for (const char* code :
       {"launch-latency", "host-call", "profiler", "not-issued", "unexplained"}) {
    INFO(code);
    REQUIRE_THROWS_WITH(parse_fix(code), test::Containing("is a cause without a fix"));
    REQUIRE_THROWS_WITH(parse_fix(code), test::Containing("host-compute"));
  }
}

}  // namespace
}  // namespace lapscope::cli
