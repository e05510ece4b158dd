#include "analyzer/analysis/launch_order.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "analyzer/model/limits.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {
namespace {

using Sequence = std::vector<std::uint32_t>;  // ops by index

// Returns the kernels of each instance, in the order of issue. If one call issues several kernels,
// for example a graph launch, these kernels are in the order of start.
std::vector<Sequence> sequences_of(const Trace& trace, const Ops& ops, const Scope& scope,
                                   const Instances& instances) {
  std::vector<Sequence> sequences;
  for (std::size_t i = 0; i < scope.ops.size(); ++i) {
    const std::uint32_t op = scope.ops[i];
    if (instances[i] == no_index || ops.kind[op] != OpKind::kernel) continue;
    if (instances[i] >= sequences.size()) sequences.resize(instances[i] + 1);
    Sequence& sequence = sequences[instances[i]];
    if (sequence.size() <= limits::launches) sequence.push_back(op);
  }
  const auto issued = [&](std::uint32_t op) {
    const std::uint32_t call = ops.issue[op];
    return std::make_tuple(call == no_index ? ops.start[op] : trace.calls.start[call],
                           ops.start[op], op);
  };
  for (Sequence& sequence : sequences) {
    std::ranges::sort(sequence,
                      [&](std::uint32_t a, std::uint32_t b) { return issued(a) < issued(b); });
  }
  return sequences;
}

// Picks at most limits::repeats instances, evenly spread from the first to the last.
std::vector<std::size_t> picked(const std::vector<std::size_t>& all) {
  if (all.size() <= limits::repeats) return all;
  std::vector<std::size_t> some;
  for (std::size_t i = 0; i < limits::repeats; ++i) {
    some.push_back(all[i * (all.size() - 1) / (limits::repeats - 1)]);
  }
  return some;
}

}  // namespace

Instances instances_of(const Ops& ops, const Calls& calls, const Scope& scope,
                       std::vector<NvtxRange> ranges) {
  std::ranges::sort(ranges, [](const NvtxRange& a, const NvtxRange& b) {
    return a.interval.start != b.interval.start ? a.interval.start < b.interval.start
                                                : a.interval.end > b.interval.end;
  });
  struct Numbered {
    Interval interval;
    std::uint32_t number;
  };
  std::map<std::int64_t, std::vector<Numbered>> by_thread;
  std::map<std::uint32_t, std::vector<Numbered>> by_process;
  std::uint32_t count = 0;
  for (const NvtxRange& range : ranges) {
    auto& outermost = by_thread[range.global_tid];
    if (!outermost.empty() && range.interval.start < outermost.back().interval.end) continue;
    outermost.push_back({range.interval, count++});
    by_process[pid_of(range.global_tid)].push_back(outermost.back());
  }
  // Returns the number of the last range that began before a call; no_index if the call ends after
  // this range.
  const auto number_of = [](const std::vector<Numbered>& outermost, const Interval& call) {
    const auto after = std::upper_bound(
        outermost.begin(), outermost.end(), call.start,
        [](Ns start, const Numbered& range) { return start < range.interval.start; });
    if (after == outermost.begin()) return no_index;
    const Numbered& range = *std::prev(after);
    return call.end <= range.interval.end ? range.number : no_index;
  };
  Instances instances(scope.ops.size(), no_index);
  for (std::size_t i = 0; i < scope.ops.size(); ++i) {
    const std::uint32_t call = ops.issue[scope.ops[i]];
    if (call == no_index) continue;
    const std::int64_t tid = calls.threads[calls.thread_of(call)].global_tid;
    const Interval when = calls.interval(call);
    if (const auto own = by_thread.find(tid); own != by_thread.end()) {
      instances[i] = number_of(own->second, when);
    }
    if (instances[i] != no_index) continue;
    if (const auto any = by_process.find(pid_of(tid)); any != by_process.end()) {
      instances[i] = number_of(any->second, when);
    }
  }
  return instances;
}

Instances instances_between(const Ops& ops, const Scope& scope, const std::vector<Ns>& borders) {
  Instances instances(scope.ops.size(), no_index);
  for (std::size_t i = 0; i < scope.ops.size(); ++i) {
    const auto after = std::ranges::upper_bound(borders, ops.start[scope.ops[i]]);
    if (after == borders.begin() || after == borders.end()) continue;
    instances[i] = static_cast<std::uint32_t>(after - borders.begin() - 1);
  }
  return instances;
}

Instances one_instance(const Scope& scope) { return Instances(scope.ops.size(), 0); }

LaunchOrder launch_order(const Trace& trace, const Device& device, const Scope& scope,
                         const Instances& instances) {
  const Ops& ops = device.ops;
  const auto sequences = sequences_of(trace, ops, scope, instances);
  // The instances that launched each sequence of kernel names.
  std::map<std::vector<std::uint32_t>, std::vector<std::size_t>> by_names;
  for (std::size_t instance = 0; instance < sequences.size(); ++instance) {
    const Sequence& sequence = sequences[instance];
    if (sequence.empty() || sequence.size() > limits::launches) continue;
    by_names[gathered(ops.name, sequence)].push_back(instance);
  }
  LaunchOrder order;
  const auto most = std::ranges::max_element(by_names, [](const auto& a, const auto& b) {
    return a.second.size() != b.second.size() ? a.second.size() < b.second.size()
                                              : a.second.front() > b.second.front();
  });
  if (most == by_names.end()) return order;
  order.instances = static_cast<std::int64_t>(most->second.size());
  const auto kept = picked(most->second);
  std::map<std::string, std::uint32_t> known;  // different ids may stand for the same text
  const auto blocks_of = [&ops](std::uint32_t op) -> std::int64_t {
    return ops.geometry[op] == no_index ? 0 : ops.geometries[ops.geometry[op]].blocks;
  };
  for (std::size_t place = 0; place < most->first.size(); ++place) {
    const std::string name = name_of_op(trace, device, sequences[kept.front()][place]);
    const auto [found, is_new] =
        known.try_emplace(name, static_cast<std::uint32_t>(order.names.size()));
    if (is_new) order.names.push_back(name);
    LaunchOrder::Launch& launch = order.launches.emplace_back();
    launch.name = found->second;
    launch.blocks = blocks_of(sequences[kept.front()][place]);
    for (const std::size_t instance : kept) {
      const std::uint32_t op = sequences[instance][place];
      launch.ns.push_back(ops.interval(op).length());
      if (blocks_of(op) != launch.blocks) launch.blocks = 0;
    }
  }
  return order;
}

}  // namespace lapscope::analyzer
