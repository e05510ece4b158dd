#include "analyzer/measures/occupancy.h"

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

// The limits of an H200, as CUPTI reports them.
constexpr DeviceLimits h200{132, 32, 64, 32, 65536, 233472};

std::int64_t blocks_per_multiprocessor(const LaunchGeometry& geometry) {
  return resident_blocks(geometry, h200).value() / h200.multiprocessors;
}

// The expected values come from NVIDIA's occupancy calculator for compute capability 9.0.
TEST_CASE("the scarcest resource of a multiprocessor decides how many blocks fit") {
  REQUIRE(blocks_per_multiprocessor({1, 1024, 32, 0}) == 2);     // limited by warps
  REQUIRE(blocks_per_multiprocessor({1, 32, 16, 0}) == 32);      // limited by blocks
  REQUIRE(blocks_per_multiprocessor({1, 256, 128, 0}) == 2);     // limited by registers
  REQUIRE(blocks_per_multiprocessor({1, 128, 32, 49152}) == 4);  // limited by shared memory
  REQUIRE(blocks_per_multiprocessor({1, 1000, 32, 0}) == 2);     // a partial warp counts as a warp
}

TEST_CASE("what the trace does not tell has no occupancy") {
  REQUIRE_FALSE(resident_blocks({1, 256, 32, 0}, {}).has_value());
  REQUIRE_FALSE(resident_blocks({0, 256, 32, 0}, h200).has_value());
}

}  // namespace
}  // namespace lapscope::analyzer
