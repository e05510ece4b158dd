#include "analyzer/analysis/device_tables.h"

#include <algorithm>
#include <array>
#include <map>

#include "analyzer/analysis/describe_gaps.h"

namespace lapscope::analyzer {
namespace {

constexpr std::size_t busiest_streams = 16;  // pairs grow with the square
constexpr std::size_t listed_groups = 20;

Interval clipped(const Ops& ops, std::uint32_t op, const Interval& window) {
  return {std::max(ops.start[op], window.start), std::min(ops.end[op], window.end)};
}

}  // namespace

std::vector<EngineResult> engines_of(const Device& device, const Scope& scope,
                                     const Activity& activity) {
  std::array<std::int64_t, all_engines.size()> counts{};
  for (const std::uint32_t op : scope.ops) {
    ++counts[static_cast<std::size_t>(device.ops.engine[op])];
  }
  std::vector<EngineResult> results;
  for (const Engine engine : all_engines) {
    const std::int64_t count = counts[static_cast<std::size_t>(engine)];
    if (count > 0) results.push_back({engine, activity.of(engine).length(), count});
  }
  return results;
}

StreamTables streams_of(const Device& device, const Scope& scope) {
  std::map<std::uint32_t, std::vector<Interval>> by_stream;
  for (const std::uint32_t op : scope.ops) {
    by_stream[device.ops.stream[op]].push_back(clipped(device.ops, op, scope.window));
  }
  StreamTables tables;
  std::vector<std::pair<std::uint32_t, IntervalSet>> unions;
  for (auto& [id, intervals] : by_stream) {
    StreamResult result;
    const auto known = std::find_if(device.streams.begin(), device.streams.end(),
                                    [id = id](const Stream& stream) { return stream.id == id; });
    if (known != device.streams.end()) result.stream = *known;
    result.stream.id = id;
    result.ops = static_cast<std::int64_t>(intervals.size());
    unions.emplace_back(id, IntervalSet::union_of(std::move(intervals)));
    result.busy_ns = unions.back().second.length();
    tables.streams.push_back(result);
  }
  std::stable_sort(unions.begin(), unions.end(), [](const auto& a, const auto& b) {
    return a.second.length() > b.second.length();
  });
  if (unions.size() > busiest_streams) unions.resize(busiest_streams);
  for (std::size_t a = 0; a < unions.size(); ++a) {
    for (std::size_t b = a + 1; b < unions.size(); ++b) {
      const std::int64_t ns = intersect(unions[a].second, unions[b].second).length();
      const auto [low, high] = std::minmax(unions[a].first, unions[b].first);
      if (ns > 0) tables.overlaps.push_back({low, high, ns});
    }
  }
  std::sort(tables.overlaps.begin(), tables.overlaps.end(),
            [](const StreamOverlap& a, const StreamOverlap& b) {
              return a.a != b.a ? a.a < b.a : a.b < b.b;
            });
  return tables;
}

std::vector<OpGroup> groups_of(const Trace& trace, const Device& device, const Scope& scope) {
  std::map<std::pair<Engine, std::string>, OpGroup> groups;
  std::map<std::pair<OpKind, std::uint64_t>, OpGroup*> known;  // by kind, and kernel or engine
  for (const std::uint32_t op : scope.ops) {
    const bool kernel = device.ops.kind[op] == OpKind::kernel;
    const std::uint64_t what =
        kernel ? device.ops.name[op] : static_cast<std::uint64_t>(device.ops.engine[op]);
    OpGroup*& group = known[{device.ops.kind[op], what}];
    if (!group) {
      const std::string name = name_of_op(trace, device, op);
      group = &groups[{device.ops.engine[op], name}];
      group->name = name;
      group->engine = device.ops.engine[op];
    }
    ++group->ops;
    group->sum_ns += clipped(device.ops, op, scope.window).length();
    group->bytes += device.ops.bytes[op];
  }
  std::vector<OpGroup> sorted;
  for (auto& [key, group] : groups) sorted.push_back(std::move(group));
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const OpGroup& a, const OpGroup& b) { return a.sum_ns > b.sum_ns; });
  if (sorted.size() > listed_groups) sorted.resize(listed_groups);
  return sorted;
}

}  // namespace lapscope::analyzer
