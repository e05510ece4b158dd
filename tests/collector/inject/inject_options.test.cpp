#include "collector/inject/inject_options.h"

#include "tests/catch.h"
#include "tests/collector/support/child.h"

namespace lapscope::inject {
namespace {

using test::ScopedVariable;

TEST_CASE("options come from the environment", "[inject]") {
  const ScopedVariable output("LAPSCOPE_OUTPUT", "/some/where/t.sqlite");
  const ScopedVariable session("LAPSCOPE_SESSION", "0123");
  const ScopedVariable period("LAPSCOPE_FLUSH_MS", "70");
  const ScopedVariable cupti("LAPSCOPE_CUPTI", "/some/libcupti.so.13");
  const Options options = options_from_environment();
  CHECK(options.output == "/some/where/t.sqlite");
  CHECK(options.session == "0123");
  CHECK(options.flush_period == std::chrono::milliseconds(70));
  CHECK(options.cupti == "/some/libcupti.so.13");
}

TEST_CASE("what is not set or empty has a default", "[inject]") {
  for (const char* value : {static_cast<const char*>(nullptr), ""}) {
    const ScopedVariable output("LAPSCOPE_OUTPUT", value);
    const ScopedVariable session("LAPSCOPE_SESSION", value);
    const ScopedVariable period("LAPSCOPE_FLUSH_MS", value);
    const ScopedVariable cupti("LAPSCOPE_CUPTI", value);
    const Options options = options_from_environment();
    CHECK(options.output == "lapscope.sqlite");
    CHECK(options.session.empty());
    CHECK(options.flush_period == std::chrono::milliseconds(200));
    CHECK_FALSE(options.cupti.has_value());
  }
}

TEST_CASE("a flush period that is no positive number is ignored", "[inject]") {
  for (const char* value : {"0", "-5", "often", "20ms", "99999999999999", " 20"}) {
    INFO(value);
    const ScopedVariable period("LAPSCOPE_FLUSH_MS", value);
    CHECK(options_from_environment().flush_period == std::chrono::milliseconds(200));
  }
}

}  // namespace
}  // namespace lapscope::inject
