#include "analyzer/analysis/device_tables.h"

#include <algorithm>
#include <array>
#include <map>

#include "analyzer/analysis/describe_gaps.h"

namespace lapscope::analyzer {
namespace {

constexpr std::size_t listed_groups = 20;

struct Totals {
  std::int64_t ops = 0;
  std::int64_t sum_ns = 0;
  std::int64_t bytes = 0;
  std::uint32_t example = 0;  // one of the ops
};

void add(Totals& totals, const Ops& ops, std::uint32_t op, const Scope& scope) {
  ++totals.ops;
  totals.sum_ns += std::max<std::int64_t>(0, scope.clipped(ops, op).length());
  totals.bytes += ops.bytes[op];
  totals.example = op;
}

}  // namespace

std::vector<EngineResult> engines_of(const Activity& activity) {
  std::vector<EngineResult> results;
  for (const Engine engine : all_engines) {
    const std::int64_t count = activity.engine_ops[static_cast<std::size_t>(engine)];
    if (count > 0) results.push_back({engine, activity.time_with(class_of(engine)), count});
  }
  return results;
}

std::vector<ClassOverlap> class_overlaps_of(const Activity& activity) {
  struct Class {
    std::string_view name;
    Classes bits;
  };
  // Communication kernels are part of the compute engine: beside it, they are compared with the
  // rest.
  const std::array engines = {Class{name_of(Engine::compute), classes::compute},
                              Class{name_of(Engine::h2d), classes::h2d},
                              Class{name_of(Engine::d2h), classes::d2h},
                              Class{name_of(Engine::other_copy), classes::other_copy}};
  const Class comm{"comm", classes::comm};
  const Class beside_comm{"compute-without-comm", classes::beside_comm};
  std::vector<ClassOverlap> overlaps;
  const auto add_pair = [&](const Class& a, const Class& b) {
    const std::int64_t ns = activity.time_with_both(a.bits, b.bits);
    if (ns > 0) overlaps.push_back({a.name, b.name, ns});
  };
  for (std::size_t a = 0; a < engines.size(); ++a) {
    for (std::size_t b = a + 1; b < engines.size(); ++b) add_pair(engines[a], engines[b]);
  }
  add_pair(comm, beside_comm);
  for (std::size_t copy = 1; copy < engines.size(); ++copy) add_pair(comm, engines[copy]);
  return overlaps;
}

std::vector<CollectiveResult> describe_collectives(const Names& names,
                                                   const std::vector<Collective>& collectives) {
  std::vector<CollectiveResult> results;
  for (const Collective& collective : collectives) {
    results.push_back(
        {names.text(collective.name), collective.ops, collective.sum_ns, collective.hidden_ns});
  }
  return results;
}

std::vector<OpGroup> groups_of(const Trace& trace, const Device& device, const Scope& scope) {
  const Ops& ops = device.ops;
  std::vector<Totals> kernels(trace.names.size() + 1);  // by name, the last without one
  std::array<Totals, all_engines.size()> copies{};
  std::array<Totals, all_engines.size()> memsets{};
  for (std::size_t i = 0; i < scope.ops.size(); ++i) {
    const std::uint32_t op = scope.ops[i];
    const auto engine = static_cast<std::size_t>(ops.engine[op]);
    if (ops.kind[op] == OpKind::kernel) {
      add(kernels[std::min<std::size_t>(ops.name[op], kernels.size() - 1)], ops, op, scope);
    } else {
      add((ops.kind[op] == OpKind::memset ? memsets : copies)[engine], ops, op, scope);
    }
  }
  // Different ids may stand for the same text.
  std::map<std::pair<Engine, std::string>, OpGroup> groups;
  const auto merge = [&](const Totals& totals) {
    if (totals.ops == 0) return;
    const Engine engine = ops.engine[totals.example];
    const std::string name = name_of_op(trace, device, totals.example);
    OpGroup& group = groups[{engine, name}];
    group.name = name;
    group.engine = engine;
    group.ops += totals.ops;
    group.sum_ns += totals.sum_ns;
    group.bytes += totals.bytes;
  };
  for (const Totals& totals : kernels) merge(totals);
  for (const Totals& totals : copies) merge(totals);
  for (const Totals& totals : memsets) merge(totals);
  std::vector<OpGroup> sorted;
  for (auto& [key, group] : groups) sorted.push_back(std::move(group));
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const OpGroup& a, const OpGroup& b) { return a.sum_ns > b.sum_ns; });
  if (sorted.size() > listed_groups) sorted.resize(listed_groups);
  return sorted;
}

}  // namespace lapscope::analyzer
