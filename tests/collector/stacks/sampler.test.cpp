#include "collector/stacks/sampler.h"

#include "tests/catch.h"

namespace lapscope::stacks {
namespace {

TEST_CASE("of each sort the first calls are taken, then one in so many", "[stacks]") {
  Sampler sampler;
  for (const std::uint64_t sort : {1U, 2U, 3U}) {
    int first = 0;
    int later = 0;
    for (std::uint64_t call = 0; call < 6400; ++call) {
      const bool taken = sampler.takes(sort);
      if (taken) ++(call < Sampler::first ? first : later);
    }
    CHECK(first == 16);
    CHECK(later == 99);
  }
}

TEST_CASE("if stacks are scarce, fewer of the later calls are taken", "[stacks]") {
  Sampler sampler;
  int taken = 0;
  for (std::uint64_t call = 0; call < 4 * Sampler::one_in_if_scarce; ++call) {
    if (sampler.takes(1, true)) ++taken;
  }
  CHECK(taken == 16 + 3);
}

TEST_CASE("more sorts than there is room for are still sampled", "[stacks]") {
  Sampler sampler;
  for (std::uint64_t sort = 0; sort < 200'000; ++sort) sampler.takes(sort);
  std::uint64_t taken = 0;
  constexpr std::uint64_t calls = 64'000;
  for (std::uint64_t sort = 1'000'000; sort < 1'000'000 + calls; ++sort) {
    if (sampler.takes(sort)) ++taken;
  }
  CHECK(taken >= calls / Sampler::one_in);
  CHECK(taken < calls / 4);  // not each first call of each sort
}

TEST_CASE("after a reset, all sorts begin with their first calls again", "[stacks]") {
  Sampler sampler;
  for (std::uint64_t sort = 0; sort < 200'000; ++sort) sampler.takes(sort);
  sampler.reset();
  for (const std::uint64_t sort : {1U, 1'000'000U}) {
    std::uint64_t taken = 0;
    for (std::uint64_t call = 0; call < Sampler::one_in; ++call) {
      if (sampler.takes(sort)) ++taken;
    }
    CHECK(taken == Sampler::first);
  }
}

}  // namespace
}  // namespace lapscope::stacks
