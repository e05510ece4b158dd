#include "analyzer/analysis/what_if.h"

#include <stdexcept>

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

TEST_CASE("a fix is asked for by its code, with a value where it takes one") {
  REQUIRE(asked_fix("stream-order").value == 0);
  REQUIRE(asked_fix("stream-order:1").value == 1);
  REQUIRE(asked_fix("stream-order:1000000").value == 1e6);
  REQUIRE(asked_fix("scale:h2d=0.001").value == 1e-3);
  REQUIRE(asked_fix("scale:compute=1000000").value == 1e6);
}

TEST_CASE("values that no program has are refused with what may be given") {
  for (const char* text :
       {"stream-order:0", "stream-order:0.5", "stream-order:1000001", "stream-order:4294967296",
        "stream-order:nan", "stream-order:inf", "stream-order:", "stream-order:-1"}) {
    INFO(text);
    REQUIRE_THROWS_WITH(asked_fix(text), test::Containing("from 1 to 1000000"));
  }
  for (const char* text :
       {"scale:compute=1e-30", "scale:compute=0", "scale:compute=1e7", "scale:compute=nan",
        "scale:compute=", "scale:compute", "scale:wings=2"}) {
    INFO(text);
    REQUIRE_THROWS_WITH(asked_fix(text), test::Containing("0.001 to 1000000"));
  }
}

}  // namespace
}  // namespace lapscope::analyzer
