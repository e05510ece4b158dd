#include "analyzer/analysis/device_tables.h"

#include <array>

namespace lapscope::analyzer {
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

}  // namespace lapscope::analyzer
