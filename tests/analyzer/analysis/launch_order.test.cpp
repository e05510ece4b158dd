#include "analyzer/analysis/launch_order.h"

#include <tuple>

#include "tests/analyzer/support/program.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Program;

// Returns each launch with its duration in each instance, in units: "A 10 20, B 30".
std::string told(const Program& program, const LaunchOrder& order) {
  std::string text;
  for (const LaunchOrder::Launch& launch : order.launches) {
    if (!text.empty()) text += ", ";
    text += order.names[launch.name];
    for (const std::int64_t ns : launch.ns) text += " " + std::to_string(ns / program.unit);
  }
  return text;
}

// Makes the instances from a picture: each sequence of equal letters is a range of thread 1.
std::vector<NvtxRange> ranges_in(const Program& program, std::string_view picture) {
  std::vector<NvtxRange> ranges;
  const std::int64_t tid = program.trace.calls.threads.front().global_tid;
  for (std::size_t i = 0; i < picture.size();) {
    std::size_t end = i;
    while (end < picture.size() && picture[end] == picture[i]) ++end;
    if (picture[i] != '.') {
      ranges.push_back({{static_cast<std::int64_t>(i) * program.unit,
                         static_cast<std::int64_t>(end) * program.unit},
                        tid});
    }
    i = end;
  }
  return ranges;
}

LaunchOrder order_in(const Program& program, const std::vector<NvtxRange>& ranges) {
  const Device& device = program.trace.devices.front();
  const Scope scope = whole(device.ops);
  return launch_order(program.trace, device, scope,
                      instances_of(device.ops, program.trace.calls, scope, ranges));
}

TEST_CASE("launches stand in the order of their issue, each with its time in every instance") {
  const Program program(R"(
    thread 1    ab.a....ab.a....
    stream 1    ....AA.AAA..A.AA
    stream 2    ..BBB.....BB....
  )");
  const auto ranges = ranges_in(program, "xxxxxxxxyyyyyyyy");
  CHECK(told(program, order_in(program, ranges)) == "A 2 1, B 3 2, A 3 2");
  CHECK(order_in(program, ranges).instances == 2);
}

TEST_CASE("only the instances with the most frequent launches count") {
  const Program program(R"(
    thread 1    ca..a...a.a.a...
    stream 1    ..CA..AA.A.A...A
  )");
  const LaunchOrder order = order_in(program, ranges_in(program, "wwwwxxxxyyyyzzzz"));
  CHECK(order.instances == 2);
  CHECK(told(program, order) == "A 2 1");
}

TEST_CASE("a range inside one of its name is no instance, and work outside belongs to none") {
  const Program program(R"(
    thread 1    a.a.a.a.
    stream 1    .A.A.A.A
  )");
  auto ranges = ranges_in(program, "xxxx....");
  const auto inner = ranges_in(program, "..x.....");
  ranges.insert(ranges.begin(), inner.begin(), inner.end());
  CHECK(told(program, order_in(program, ranges)) == "A 1, A 1");
}

TEST_CASE("what another thread launches meanwhile is of the instance that is open then") {
  const Program program(R"(
    thread 1    a.....a.....
    thread 2    ..b.....b..b
    stream 1    .AA....A....
    stream 2    ...BB....B..B
  )");
  const LaunchOrder order = order_in(program, ranges_in(program, "xxxxx.yyyyy."));
  CHECK(order.instances == 2);
  CHECK(told(program, order) == "A 2 1, B 2 1");
}

TEST_CASE("iterations have the ops that start in them") {
  //   borders       |       |     |   the last instance ends here
  const Program program(R"(
    thread 1    ab......ab.a..
    stream 1    ..AA......A..A
    stream 2    ....BBB.....B.
  )");
  const Device& device = program.trace.devices.front();
  const Scope scope = whole(device.ops);
  const auto instances = instances_between(
      device.ops, scope, {2 * program.unit, 10 * program.unit, 13 * program.unit});
  CHECK(told(program, launch_order(program.trace, device, scope, instances)) == "A 2 1, B 3 1");
}

TEST_CASE("of very many instances some are kept, and of very long ones none") {
  Program program(R"(
    thread 1    a.
    stream 1    .A
  )");
  Device& device = program.trace.devices.front();
  const auto repeat = [&](int times) {
    std::apply([&](auto... column) { ((device.ops.*column).resize(1), ...); }, Ops::columns());
    for (int i = 1; i < times; ++i) {
      std::apply(
          [&](auto... column) {
            ((device.ops.*column).push_back((device.ops.*column).front()), ...);
          },
          Ops::columns());
    }
  };
  repeat(500);
  const Scope scope = whole(device.ops);
  Instances each(500);
  for (std::uint32_t i = 0; i < 500; ++i) each[i] = i;
  const LaunchOrder order = launch_order(program.trace, device, scope, each);
  CHECK(order.instances == 500);
  CHECK(order.launches.front().ns.size() == 50);
  CHECK(launch_order(program.trace, device, scope, one_instance(scope)).launches.size() == 500);
  repeat(1001);
  const Scope longer = whole(device.ops);
  CHECK(launch_order(program.trace, device, longer, one_instance(longer)).launches.empty());
}

}  // namespace
}  // namespace lapscope::analyzer
