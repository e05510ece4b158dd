#include <map>

#include "analyzer/analysis/op_tables.h"
#include "tests/analyzer/support/bitmap.h"
#include "tests/analyzer/support/picture.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

constexpr std::int64_t mib = 1 << 20;

struct Copy {
  Interval interval;
  std::int64_t bytes;
  Engine engine = Engine::h2d;
  OpKind kind = OpKind::memcpy;
};

Device device_of(std::initializer_list<Copy> copies) {
  Ops ops;
  for (const Copy& copy : copies) {
    test::add_op(ops, copy.interval, copy.engine);
    ops.bytes.back() = copy.bytes;
    ops.kind.back() = copy.kind;
  }
  return test::device_with(ops);
}

OpGroup only_group(const Device& device) {
  const auto groups = groups_of(Trace{}, Subject(device, {}), whole(device.ops));
  REQUIRE(groups.size() == 1);
  return groups.front();
}

TEST_CASE("the rate of a group is of all its copies, the best of its quickest") {
  Device device = device_of({{{0, 100'000}, mib}, {{100'000, 300'000}, 4 * mib}});
  const OpGroup group = only_group(device);
  REQUIRE(group.name == "copy h2d");
  REQUIRE(group.bytes == 5 * mib);
  REQUIRE(group.bytes_per_s == 17'476'266'666);       // 5 MiB in 300 us
  REQUIRE(group.best_bytes_per_s == 20'971'520'000);  // 4 MiB in 200 us
  REQUIRE_FALSE(group.link_bytes_per_s.has_value());
}

TEST_CASE("copies below 1 MiB say nothing about what the link does") {
  REQUIRE_FALSE(only_group(device_of({{{0, 1000}, mib - 1}})).best_bytes_per_s.has_value());
  REQUIRE(only_group(device_of({{{0, 100'000}, mib}})).best_bytes_per_s == 10'485'760'000);
}

TEST_CASE("a copy that took no time has no rate") {
  const OpGroup group = only_group(device_of({{{5, 5}, 4 * mib}}));
  REQUIRE_FALSE(group.bytes_per_s.has_value());
  REQUIRE_FALSE(group.best_bytes_per_s.has_value());
}

TEST_CASE("a window clips the time of a copy and not its rate") {
  //   window        |-----|
  //   ops      [aaaa|aaaaa|aaa]
  Device device = device_of({{{0, 100'000}, mib}});
  device.links.host = 11'000'000'000;
  const auto scope = within(device.ops, {40'000, 50'000});
  REQUIRE(scope.has_value());
  const OpGroup group = groups_of(Trace{}, Subject(device, {}), *scope).at(0);
  REQUIRE(group.sum_ns == 10'000);
  REQUIRE(group.bytes_per_s == 10'485'760'000);
  REQUIRE(group.best_bytes_per_s == 10'485'760'000);
  REQUIRE(group.link_bytes_per_s == 11'000'000'000);
}

TEST_CASE("copies from and to the host are held against the host's link, peers against theirs") {
  Device device = device_of({{{0, 100'000}, mib},
                             {{0, 200'000}, mib, Engine::d2h},
                             {{0, 300'000}, mib, Engine::other_copy, OpKind::peer_copy},
                             {{0, 400'000}, mib, Engine::other_copy},
                             {{0, 500'000}, mib, Engine::compute}});
  device.links = {11'000'000'000, 12'000'000'000};
  const auto groups = groups_of(Trace{}, Subject(device, {}), whole(device.ops));
  REQUIRE(groups.size() == 5);
  REQUIRE(groups[0].name == "copy compute");
  REQUIRE_FALSE(groups[0].link_bytes_per_s.has_value());
  REQUIRE(groups[1].name == "copy other");
  REQUIRE_FALSE(groups[1].link_bytes_per_s.has_value());
  REQUIRE(groups[2].name == "copy peer");
  REQUIRE(groups[2].link_bytes_per_s == 12'000'000'000);
  REQUIRE(groups[3].link_bytes_per_s == 11'000'000'000);
  REQUIRE(groups[4].link_bytes_per_s == 11'000'000'000);
}

TEST_CASE("a link that one copy has beaten was not what the trace tells") {
  Device device = device_of({{{0, 100'000}, mib}, {{100'000, 400'000}, mib}});
  device.links.host = 10'485'759'999;
  REQUIRE_FALSE(only_group(device).link_bytes_per_s.has_value());
  device.links.host = 10'485'760'000;
  REQUIRE(only_group(device).link_bytes_per_s == 10'485'760'000);
}

TEST_CASE("small copies beat a link as well") {
  Device device = device_of({{{0, 10}, 1000}});
  device.links.host = 99'000'000'000;
  REQUIRE_FALSE(only_group(device).link_bytes_per_s.has_value());
}

TEST_CASE("kernels have no rate, memsets have one and no link") {
  Device device = device_of({{{0, 100'000}, mib, Engine::compute, OpKind::memset},
                             {{0, 200'000}, 0, Engine::compute, OpKind::kernel}});
  device.links.host = 99'000'000'000;
  const auto groups = groups_of(Trace{}, Subject(device, {}), whole(device.ops));
  REQUIRE(groups.size() == 2);
  REQUIRE_FALSE(groups[0].bytes_per_s.has_value());
  REQUIRE(groups[1].name == "memset");
  REQUIRE(groups[1].bytes_per_s == 10'485'760'000);
  REQUIRE_FALSE(groups[1].best_bytes_per_s.has_value());
  REQUIRE_FALSE(groups[1].link_bytes_per_s.has_value());
}

// Makes a trace with the names 0 (""), 1 ("one") and 2 ("two").
Trace trace_with_names() {
  Trace trace;
  trace.names.add(1, "one");
  trace.names.add(2, "two");
  return trace;
}

// Makes a device. The name of a kernel is the number of its lane.
Device device_of(std::initializer_list<std::string_view> lanes) {
  Device device = test::device_with(test::ops_in(lanes));
  for (std::size_t op = 0; op < device.ops.size(); ++op) {
    if (device.ops.kind[op] == OpKind::kernel) device.ops.name[op] = device.ops.stream[op];
  }
  return device;
}

TEST_CASE("a kernel's time beside other work is that in which any other op was active") {
  // B runs beside C for 2 ns and beside H for 2 ns. For 1 ns, it runs beside both.
  //   one   AA..BBBB..
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
