#include "workloads/implicit_sync/controls.h"

#include "tests/catch.h"
#include "tests/workloads/implicit_sync/observations.h"

namespace lapscope::workloads::implicit_sync {
namespace {

std::optional<std::string> failure(std::string_view name, const Observations& seen) {
  return find_failure(name, judge(seen, idle_ms));
}

TEST_CASE("each control passes with its own behaviour only", "[implicit_sync]") {
  REQUIRE_FALSE(failure("control-nothing", always(overlapping())).has_value());
  REQUIRE_FALSE(failure("control-device", always(blocking_host())).has_value());
  Observations by_event = always(waiting());
  REQUIRE_FALSE(failure("control-event", by_event).has_value());

  REQUIRE(failure("control-nothing", always(waiting())).has_value());
  REQUIRE(failure("control-nothing", always(late())).has_value());
  REQUIRE(failure("control-device", always(overlapping())).has_value());
  REQUIRE(failure("control-event", always(overlapping())).has_value());
  REQUIRE(failure("control-event", always(blocking_host())).has_value());
}

TEST_CASE("one deviating repeat fails a control, and it is named", "[implicit_sync]") {
  for (const auto arrangement : {Arrangement::beside, Arrangement::blocking, Arrangement::marker}) {
    Observations seen = always(overlapping());
    in(seen, arrangement)[3] = waiting();
    const auto sentence = failure("control-nothing", seen);
    REQUIRE(sentence.has_value());
    REQUIRE(sentence->find("control-nothing") != std::string::npos);
  }
}

TEST_CASE("there is a control for every answer, and each has an expectation", "[implicit_sync]") {
  REQUIRE(controls().size() == 3);
  for (const Call& call : controls()) {
    REQUIRE(call.claim.says == Documented::control);
    const auto sentence = failure(call.name, always(late()));
    REQUIRE(sentence.has_value());
    REQUIRE(sentence->find("not a control") == std::string::npos);
  }
  REQUIRE(failure("cudaFree-4KiB", always(overlapping())).has_value());
}

}  // namespace
}  // namespace lapscope::workloads::implicit_sync
