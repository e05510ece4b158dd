#include "analyzer/replay/copy_engines.h"

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

EngineTraits half_speed_both_ways() {
  EngineTraits traits;
  traits.exclusive = {false, true, true, false};
  traits.both_directions = 0.5;
  return traits;
}

std::int64_t end_of(const CopyEngines::Finishes& finishes, std::uint32_t task) {
  for (const CopyEngines::Finish& finish : finishes) {
    if (finish.task == task) return finish.time;
  }
  FAIL("task " << task << " does not run");
  return 0;
}

TEST_CASE("an engine is given to those that wait, first come first served") {
  CopyEngines engines(half_speed_both_ways());
  REQUIRE(engines.take(Engine::h2d, 1));
  REQUIRE_FALSE(engines.take(Engine::h2d, 2));
  REQUIRE_FALSE(engines.take(Engine::h2d, 3));
  REQUIRE(engines.take(Engine::d2h, 4));
  REQUIRE(engines.release(Engine::h2d) == 2);
  REQUIRE_FALSE(engines.take(Engine::h2d, 5));  // 2 has it
  REQUIRE(engines.release(Engine::h2d) == 3);
  REQUIRE(engines.release(Engine::h2d) == 5);
  REQUIRE(engines.release(Engine::h2d) == no_index);
  REQUIRE(engines.take(Engine::h2d, 6));
}

TEST_CASE("only engines that were seen to run one op at a time are exclusive") {
  const CopyEngines engines(half_speed_both_ways());
  REQUIRE(engines.is_exclusive(Engine::h2d));
  REQUIRE_FALSE(engines.is_exclusive(Engine::compute));
  REQUIRE_FALSE(engines.is_exclusive(Engine::other_copy));
}

//   to device  11111111111111111111          100 ns of work each, half speed beside each other
//   to host    ..........22222222222222222222222222222
//              0         50                  150       200
TEST_CASE("a copy's end moves as one the other way begins and ends") {
  CopyEngines engines(half_speed_both_ways());
  const auto alone = engines.start(Engine::h2d, 1, 100, 0);
  REQUIRE(end_of(alone, 1) == 100);
  const auto both = engines.start(Engine::d2h, 2, 100, 50);
  REQUIRE(end_of(both, 1) == 150);
  REQUIRE(end_of(both, 2) == 250);
  REQUIRE_FALSE(engines.is_current(Engine::h2d, 1, alone[0].version));
  const auto after = engines.end(Engine::h2d, 150);
  REQUIRE(after.size() == 1);
  REQUIRE(end_of(after, 2) == 200);
  REQUIRE(engines.is_current(Engine::d2h, 2, after[0].version));
}

TEST_CASE("copies between devices take their time whatever else runs") {
  CopyEngines engines(half_speed_both_ways());
  engines.start(Engine::h2d, 1, 100, 0);
  const auto both = engines.start(Engine::d2h, 2, 100, 0);
  REQUIRE(end_of(both, 1) == 200);
  REQUIRE(end_of(both, 2) == 200);
  const auto beside = engines.start(Engine::other_copy, 3, 100, 10);
  REQUIRE(end_of(beside, 3) == 110);
  REQUIRE(beside.size() == 1);  // the others end when they would have
  REQUIRE(engines.is_current(Engine::h2d, 1, both[0].version));
  REQUIRE(engines.is_current(Engine::d2h, 2, both[1].version));
}

}  // namespace
}  // namespace lapscope::analyzer
