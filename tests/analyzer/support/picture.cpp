#include "tests/analyzer/support/picture.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace lapscope::test {

using analyzer::Engine;
using analyzer::Interval;
using analyzer::OpKind;

std::vector<Run> runs_in(std::string_view picture) {
  std::vector<Run> runs;
  std::int64_t now = 0;
  char running = '.';
  for (const char c : picture) {
    if (c == '|') {
      runs.push_back({c, {now, now}});
      running = '.';
      continue;
    }
    if (c != '.' && c == running) {
      ++runs.back().interval.end;
    } else if (c != '.') {
      runs.push_back({c, {now, now + 1}});
    }
    running = c;
    ++now;
  }
  return runs;
}

std::vector<Interval> intervals_in(std::string_view picture) {
  std::vector<Interval> intervals;
  for (const Run& run : runs_in(picture)) intervals.push_back(run.interval);
  return intervals;
}

analyzer::IntervalSet set_in(std::string_view picture) {
  return analyzer::IntervalSet::union_of(intervals_in(picture));
}

std::string drawn(const analyzer::IntervalSet& set) {
  std::string picture;
  for (const Interval& interval : set.intervals()) {
    picture.append(static_cast<std::size_t>(interval.start) - picture.size(), '.');
    picture.append(static_cast<std::size_t>(interval.length()), '#');
  }
  return picture;
}

analyzer::Ops ops_in(std::initializer_list<std::string_view> lanes) {
  analyzer::Ops ops;
  std::uint32_t stream = 0;
  for (const std::string_view lane : lanes) {
    ++stream;
    const auto engine = std::string_view("KHDO").find(lane.at(0));
    if (engine == std::string_view::npos)
      throw std::invalid_argument("a lane begins with K, H, D or O");
    for (const Interval& interval : intervals_in(lane.substr(2))) {
      add_op(ops, interval, analyzer::all_engines[engine], stream);
    }
  }
  return in_order(ops);
}

void add_op(analyzer::Ops& ops, Interval interval, Engine engine, std::uint32_t stream) {
  ops.start.push_back(interval.start);
  ops.end.push_back(interval.end);
  ops.stream.push_back(stream);
  ops.name.push_back(analyzer::no_index);
  ops.issue.push_back(analyzer::no_index);
  ops.geometry.push_back(analyzer::no_index);
  ops.bytes.push_back(0);
  ops.engine.push_back(engine);
  ops.kind.push_back(engine == Engine::compute ? OpKind::kernel : OpKind::memcpy);
  ops.channel.push_back(analyzer::no_channel);
  ops.memory.push_back(0);
  ops.target.push_back(analyzer::no_device);
}

analyzer::Ops in_order(const analyzer::Ops& ops) {
  std::vector<std::uint32_t> order(ops.size());
  std::iota(order.begin(), order.end(), 0U);
  analyzer::sort_by_start(ops, order);
  analyzer::Ops sorted;
  std::apply(
      [&](auto... column) { ((sorted.*column = analyzer::gathered(ops.*column, order)), ...); },
      analyzer::Ops::columns());
  sorted.geometries = ops.geometries;
  return sorted;
}

analyzer::Device device_with(const analyzer::Ops& ops) {
  analyzer::Device device;
  device.name = "GPU";
  device.ops = in_order(ops);
  std::uint32_t streams = 0;
  for (const std::uint32_t stream : ops.stream) streams = std::max(streams, stream + 1);
  for (std::uint32_t id = 0; id < streams; ++id) {
    device.streams.emplace_back();
    device.streams.back().id = id;
  }
  return device;
}

analyzer::Activity activity_of(const analyzer::Ops& ops) {
  const analyzer::Device device = device_with(ops);
  return analyzer::activity_of(analyzer::Subject(device, {}), analyzer::whole(device.ops));
}

analyzer::Activity activity_within(const analyzer::Ops& ops, Interval window) {
  const analyzer::Device device = device_with(ops);
  return analyzer::activity_of(analyzer::Subject(device, {}),
                               analyzer::within(device.ops, window).value());
}

}  // namespace lapscope::test
