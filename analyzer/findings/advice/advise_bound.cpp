#include "analyzer/findings/advice/steps.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Adds advice if one copy engine serves both directions, and the time of all copies is the bound.
bool advise_one_copy_engine(const AdviceInput& in, std::vector<Advice>& advice) {
  if (!in.sources.graph.traits[in.scope.device].one_copy_engine) return false;
  constexpr std::array both = {Engine::h2d, Engine::d2h};
  for (const Engine engine : both) {
    if (in.use.busy[static_cast<std::size_t>(engine)].empty()) return false;
  }
  const double filled = portion(busy_with(in, both).length(), in.wall);
  if (filled < assumed::bound_engine) return false;
  advice.push_back({OneCopyEngine{filled}});
  return true;
}

// Returns the average rate of all copies on the engine, in bytes per ns.
double rate_of(const AdviceInput& in, Engine engine) {
  Ns ns = 0;
  Bytes bytes = 0;
  for (const std::uint32_t t : in.scope.tasks) {
    const Task& task = in.sources.graph.tasks[t];
    if (task.engine != engine || task.op == no_index) continue;
    ns += in.sources.graph.times.tasks[t].length();
    bytes += in.sources.trace.devices[task.device].ops.bytes[task.op];
  }
  return portion(bytes, ns);
}

// Adds advice if kernels run all the time, one by one, on a small part of the multiprocessors.
bool advise_few_blocks(const AdviceInput& in, std::vector<Advice>& advice) {
  const Ns beside = in.use.compute_ns - busy_with(in, std::array{Engine::compute}).length();
  if (portion(beside, in.use.compute_ns) >= assumed::least_saving) return false;
  if (portion(in.use.known_ns, in.use.compute_ns) < assumed::majority) return false;
  const Share covered = in.use.covered_ns / static_cast<double>(in.use.known_ns);
  if (covered >= assumed::majority) return false;
  advice.push_back({FewBlocks{in.result.bound_share, covered}});
  return true;
}

}  // namespace

// Adds nothing if there are findings, because their causes may be why an engine is busy.
void advise_bound(const AdviceInput& in, std::vector<Advice>& advice) {
  if (!in.result.findings.empty() || advise_one_copy_engine(in, advice)) return;
  if (in.result.bound_share < assumed::bound_engine) return;
  if (in.result.bound_by == name_of(Engine::communication)) return;
  const double busy = in.result.bound_share;
  if (in.result.bound_by == name_of(Engine::compute)) {
    const double filling = portion(in.use.filling_ns, in.use.compute_ns);
    if (filling >= assumed::majority) {
      advice.push_back({BoundByKernels{busy, filling}});
    } else if (!advise_few_blocks(in, advice)) {
      advice.push_back({BoundByKernels{busy}});
    }
    return;
  }
  for (const Engine engine : all_engines) {
    if (in.result.bound_by != name_of(engine)) continue;
    const LargeCopies copies = large_copies(in, engine);
    advice.push_back({BoundByCopies{engine, busy, rate_of(in, engine),
                                    copies.link > 0 ? std::optional(copies.link) : std::nullopt}});
  }
}

}  // namespace lapscope::analyzer
