#include "analyzer/ranks/lost_beside.h"

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

// 8 multiprocessors. On each, two blocks of 1024 threads fit.
constexpr DeviceLimits eight{8, 32, 64, 32, 65536, 233472};
constexpr std::uint32_t computing = 0;
constexpr std::uint32_t communicating = 1;

void add(Device& device, std::uint32_t name, std::int64_t blocks, Ns length) {
  Ops& ops = device.ops;
  ops.geometry.push_back(static_cast<std::uint32_t>(ops.geometries.size()));
  ops.geometries.push_back({blocks, 1024, 32, 0});
  ops.name.push_back(name);
  ops.engine.push_back(Engine::compute);
  ops.start.push_back(0);
  ops.end.push_back(length);
}

// A kernel of `blocks` blocks, and an all-reduce whose blocks occupy `taken` of 8 multiprocessors.
LostBeside lost(std::int64_t blocks, std::int64_t taken = 4) {
  Device device;
  device.limits = eight;
  add(device, computing, blocks, 100);
  add(device, communicating, taken, 50);
  return lost_beside(device, {false, true});
}

TEST_CASE("a kernel loses the multiprocessors of communication, or whole rounds", "[ranks]") {
  // Alone, 160 blocks take 10 rounds of 16 blocks. Beside communication on 4 multiprocessors, they
  // take 20 rounds of 8 blocks.
  CHECK(lost(160).least == 0.5);
  CHECK(lost(160).most == 0.5);
  // Alone, 16 blocks take 1 round. Beside communication on 2 multiprocessors, there is room for 12
  // blocks on the other 6, so 16 blocks take 2 rounds.
  CHECK(lost(16, 2).least == 0.25);
  CHECK(lost(16, 2).most == 0.5);
}

// 8 blocks find room on 4 multiprocessors, two on each. If each block uses a whole multiprocessor,
// two of them take twice as long as one.
TEST_CASE("blocks that share a multiprocessor may slow each other", "[ranks]") {
  CHECK(lost(8).least == 0);
  CHECK(lost(8).most == 0.5);
}

TEST_CASE("a kernel that leaves enough multiprocessors free loses nothing", "[ranks]") {
  CHECK(lost(4).least == 0);
  CHECK(lost(4).most == 0);
}

TEST_CASE("losses are weighted by the kernels' durations", "[ranks]") {
  Device device;
  device.limits = eight;
  add(device, computing, 4, 300);
  add(device, computing, 160, 100);
  add(device, communicating, 4, 50);
  CHECK(lost_beside(device, {false, true}).most == 0.125);
}

TEST_CASE("without sizes, anything may be lost", "[ranks]") {
  Device device;
  add(device, computing, 160, 100);
  add(device, communicating, 4, 50);
  const LostBeside lost = lost_beside(device, {false, true});
  CHECK(lost.least == 0);
  CHECK(lost.most == 1);
}

}  // namespace
}  // namespace lapscope::analyzer
