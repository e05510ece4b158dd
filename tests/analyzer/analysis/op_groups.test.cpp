#include "analyzer/analysis/op_groups.h"

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
  const auto groups = groups_of(Trace{}, device, whole(device.ops));
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
  const OpGroup group = groups_of(Trace{}, device, *scope).at(0);
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
  const auto groups = groups_of(Trace{}, device, whole(device.ops));
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
  const auto groups = groups_of(Trace{}, device, whole(device.ops));
  REQUIRE(groups.size() == 2);
  REQUIRE_FALSE(groups[0].bytes_per_s.has_value());
  REQUIRE(groups[1].name == "memset");
  REQUIRE(groups[1].bytes_per_s == 10'485'760'000);
  REQUIRE_FALSE(groups[1].best_bytes_per_s.has_value());
  REQUIRE_FALSE(groups[1].link_bytes_per_s.has_value());
}

}  // namespace
}  // namespace lapscope::analyzer
