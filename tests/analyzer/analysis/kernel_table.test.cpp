#include "analyzer/analysis/kernel_table.h"

#include <map>

#include "tests/analyzer/support/bitmap.h"
#include "tests/analyzer/support/picture.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

// Names 0 (""), 1 ("one") and 2 ("two").
Trace trace_with_names() {
  Trace trace;
  trace.names.add(1, "one");
  trace.names.add(2, "two");
  return trace;
}

// The kernels of a lane have the lane's number as name.
Device device_of(std::initializer_list<std::string_view> lanes) {
  Device device = test::device_with(test::ops_in(lanes));
  for (std::size_t op = 0; op < device.ops.size(); ++op) {
    if (device.ops.kind[op] == OpKind::kernel) device.ops.name[op] = device.ops.stream[op];
  }
  return device;
}

TEST_CASE("a kernel's time beside other work is that in which any other op was active") {
  //   one   AA..BBBB..     beside two's C for 1 ns, beside the copy for 2 ns, of those 1 ns both
  //   two   .....CC...
  //   copy  ......HH.H
  const Device device = device_of({"K AA..BBBB..", "K .....CC...", "H ......HH.H"});
  const auto kernels = kernels_of(trace_with_names(), device, whole(device.ops));
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].name == "one");
  CHECK(kernels[0].ops == 2);
  CHECK(kernels[0].sum_ns == 6);
  CHECK(kernels[0].shared_ns == 3);
  CHECK(kernels[1].name == "two");
  CHECK(kernels[1].sum_ns == 2);
  CHECK(kernels[1].shared_ns == 2);
}

TEST_CASE("of a kernel that the window cuts, the part inside counts") {
  //   one   AAAA....
  //   two   ..BBBB..
  //   window  [3,5)
  const Device device = device_of({"K AAAA....", "K ..BBBB.."});
  const auto kernels = kernels_of(trace_with_names(), device, *within(device.ops, {3, 5}));
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].name == "two");
  CHECK(kernels[0].sum_ns == 2);
  CHECK(kernels[0].shared_ns == 1);
  CHECK(kernels[1].sum_ns == 1);
  CHECK(kernels[1].shared_ns == 1);
}

TEST_CASE("kernels of random devices have the times that counting nanoseconds gives") {
  std::mt19937 random(20261121);
  const Trace trace = trace_with_names();
  for (int round = 0; round < 300; ++round) {
    const Device device = test::random_device(random);
    const Interval window = test::random_window(device, random);
    const auto scope = within(device.ops, window);
    if (!scope) continue;
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> counted;  // sum, shared
    for (std::int64_t now = window.start; now < window.end; ++now) {
      std::vector<std::size_t> active;
      for (std::size_t op = 0; op < device.ops.size(); ++op) {
        if (device.ops.start[op] <= now && now < device.ops.end[op]) active.push_back(op);
      }
      for (const std::size_t op : active) {
        if (device.ops.kind[op] != OpKind::kernel) continue;
        auto& [sum, shared] = counted[trace.names.text(device.ops.name[op])];
        ++sum;
        shared += active.size() > 1 ? 1 : 0;
      }
    }
    const auto kernels = kernels_of(trace, device, *scope);
    REQUIRE(kernels.size() == counted.size());
    for (const KernelResult& kernel : kernels) {
      INFO(round << ' ' << kernel.name);
      REQUIRE(kernel.sum_ns == counted[kernel.name].first);
      REQUIRE(kernel.shared_ns == counted[kernel.name].second);
    }
  }
}

}  // namespace
}  // namespace lapscope::analyzer
