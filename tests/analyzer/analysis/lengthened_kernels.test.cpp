#include "analyzer/analysis/lengthened_kernels.h"

#include "analyzer/model/assumptions.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

constexpr std::int64_t blocks_at_once = 132 * 8;  // blocks of 256 threads that an H200 runs at once

// Makes a trace with one kernel on a device of 132 multiprocessors.
Trace kernel_of(std::int64_t blocks, std::int64_t ns) {
  Trace trace;
  trace.names.add(1, "copy_vectors");
  Device device;
  device.limits = {132, 32, 64, 32, 65'536, 233'472};
  Ops& ops = device.ops;
  ops.start = {0};
  ops.end = {ns};
  ops.kind = {OpKind::kernel};
  ops.engine = {Engine::compute};
  ops.name = {trace.names.index_of(1)};
  ops.geometry = {0};
  ops.geometries = {{blocks, 256, 16, 0}};
  trace.devices.push_back(std::move(device));
  return trace;
}

// The copy kernel of research/collector-cost.md takes 915.4 us alone and 1,016.5 us recorded.
TEST_CASE("a kernel of very many short blocks is known to be longer than without a recorder") {
  const auto row = lengthened_kernels(kernel_of(262'144, 1'016'500));
  REQUIRE(row);
  CHECK(row->kind == HealthKind::kernels_lengthened);
  CHECK(row->count == 1);
  CHECK(row->details == Details{"copy_vectors", std::int64_t{10}});  // percent
}

TEST_CASE("blocks that stay, long ones, and a single wave are not") {
  CHECK_FALSE(lengthened_kernels(kernel_of(blocks_at_once, 544'000)));
  CHECK_FALSE(lengthened_kernels(kernel_of(132, 600)));
  const std::int64_t waves = 10;
  CHECK_FALSE(lengthened_kernels(
      kernel_of(waves * blocks_at_once, 100 * (waves + 1) * assumed::wave_overhead)));
}

TEST_CASE("of a kernel whose shape is not known nothing is said") {
  Trace trace = kernel_of(262'144, 1'016'500);
  trace.devices[0].ops.geometry[0] = no_index;
  CHECK_FALSE(lengthened_kernels(trace));
  trace = kernel_of(262'144, 1'016'500);
  trace.devices[0].limits = {};
  CHECK_FALSE(lengthened_kernels(trace));
}

}  // namespace
}  // namespace lapscope::analyzer
