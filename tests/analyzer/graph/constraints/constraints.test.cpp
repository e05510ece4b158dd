#include "analyzer/graph/constraint.h"

#include <algorithm>
#include <array>

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

// Causes without a constraint: time of the host, latency, CUPTI, and unrecorded reasons.
constexpr std::array without_constraint = {Cause::launch_latency, Cause::host_compute,
                                           Cause::lock,           Cause::profiler,
                                           Cause::not_issued,     Cause::unexplained};

TEST_CASE("each other cause has one constraint") {
  for (std::size_t c = 0; c < cause_count; ++c) {
    const auto cause = static_cast<Cause>(c);
    INFO(code_of(cause));
    const auto count =
        std::count_if(constraints().begin(), constraints().end(),
                      [cause](const Constraint* one) { return one->cause == cause; });
    const bool has_none =
        std::count(without_constraint.begin(), without_constraint.end(), cause) > 0;
    REQUIRE(count == (has_none ? 0 : 1));
  }
}

TEST_CASE("a constraint can be found in some way") {
  for (const Constraint* one : constraints()) {
    INFO(code_of(one->cause));
    // observe() finds the waits for room on the multiprocessors.
    const bool is_observed = one->cause == Cause::sm_saturated;
    REQUIRE((one->tasks || is_observed || one->calls || !one->stands_for.empty()));
    REQUIRE((is_of_host(one->cause) || (one->calls == nullptr && one->stands_for.empty())));
  }
}

TEST_CASE("being in a call of any kind stands for one cause") {
  for (int k = 0; k <= static_cast<int>(CallKind::other); ++k) {
    const auto kind = static_cast<CallKind>(k);
    INFO(name_of(kind));
    std::int64_t count = 0;
    for (const Constraint* one : constraints()) {
      count += std::count(one->stands_for.begin(), one->stands_for.end(), kind);
    }
    REQUIRE(count == 1);
  }
}

}  // namespace
}  // namespace lapscope::analyzer
