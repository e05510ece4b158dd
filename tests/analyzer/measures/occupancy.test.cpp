#include "analyzer/measures/occupancy.h"

#include "analyzer/measures/measure.h"
#include "tests/analyzer/support/picture.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

// An H200, as CUPTI describes it.
constexpr DeviceLimits h200{132, 32, 64, 32, 65536, 233472};

std::int64_t blocks_per_multiprocessor(const LaunchGeometry& geometry) {
  return resident_blocks(geometry, h200).value() / h200.multiprocessors;
}

// What NVIDIA's occupancy calculator gives for compute capability 9.0.
TEST_CASE("the scarcest resource of a multiprocessor decides how many blocks fit") {
  REQUIRE(blocks_per_multiprocessor({1, 1024, 32, 0}) == 2);     // warps
  REQUIRE(blocks_per_multiprocessor({1, 32, 16, 0}) == 32);      // blocks
  REQUIRE(blocks_per_multiprocessor({1, 256, 128, 0}) == 2);     // registers
  REQUIRE(blocks_per_multiprocessor({1, 128, 32, 49152}) == 4);  // shared memory
  REQUIRE(blocks_per_multiprocessor({1, 1000, 32, 0}) == 2);     // part of a warp is a warp
}

TEST_CASE("what the trace does not tell has no occupancy") {
  REQUIRE_FALSE(resident_blocks({1, 256, 32, 0}, {}).has_value());
  REQUIRE_FALSE(resident_blocks({0, 256, 32, 0}, h200).has_value());
}

TEST_CASE("small grids count in the bound with the share of the device that they fill") {
  // Two kernels of half a device, one after the other: together they could have taken half the
  // time. K AAAABBBB
  Device device;
  device.ops = test::ops_in({"K AAAABBBB"});
  device.limits = h200;
  device.ops.geometries = {{132, 1024, 32, 0}};  // 264 blocks fit
  device.ops.geometry = {0, 0};
  const Activity activity = activity_of(Subject(device, {}), whole(device.ops));
  REQUIRE(activity.compute_area == 4);
  REQUIRE(overlap_efficiency.compute(activity) == Value(Ratio{0, 4}));
}

TEST_CASE("a grid that fills the device cannot be overlapped with another") {
  // K AAAABBBB
  Device device;
  device.ops = test::ops_in({"K AAAABBBB"});
  device.limits = h200;
  device.ops.geometries = {{5000, 1024, 32, 0}};
  device.ops.geometry = {0, 0};
  const Activity activity = activity_of(Subject(device, {}), whole(device.ops));
  REQUIRE(activity.compute_area == 8);
  REQUIRE(std::holds_alternative<Undefined>(overlap_efficiency.compute(activity)));
}

}  // namespace
}  // namespace lapscope::analyzer
