#include <algorithm>
#include <map>

#include "analyzer/explain/places.h"
#include "analyzer/findings/advice/steps.h"
#include "analyzer/fixes/fix.h"
#include "analyzer/graph/copy_rates.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Whether kernels run during a large part of the time in which copies run.
bool hides_copies(const AdviceInput& in) {
  const IntervalSet copies = busy_with(in, std::array{Engine::h2d, Engine::d2h});
  const IntervalSet kernels = busy_with(in, std::array{Engine::compute});
  return portion(intersect(copies, kernels).length(), copies.length()) >= assumed::large_part;
}

}  // namespace

std::vector<Advice> advise_pin(const AdviceInput& in) {
  if (in.is_found(Cause::pageable_copy) ||
      portion(in.use.pageable_ns, in.wall) < assumed::least_saving) {
    return {};
  }
  const auto unknown = fix_for(Cause::pageable_copy)->lacks(in.sources.trace, in.sources.graph);
  const Share taken = portion(in.use.pageable_ns, in.wall);
  // The fix has no finding if it saves little, or if the link's rate is not known. This advice can
  // be the main advice only if the rate is not known.
  const bool is_main = unknown && taken >= assumed::large_part;
  return {{PageableCopies{in.use.pageable, taken, unknown}, is_main}};
}

// Each copy takes a few us to start. Small copies therefore take much longer than large copies of
// the same total size.
void advise_small_copies(const AdviceInput& in, std::vector<Advice>& advice) {
  if (in.is_found(Cause::small_copies)) return;
  for (const Engine engine : {Engine::h2d, Engine::d2h}) {
    std::int64_t count = 0;
    Ns ns = 0;
    Bytes bytes = 0;
    for (const std::uint32_t t : in.scope.tasks) {
      const Task& task = in.sources.graph.tasks[t];
      if (task.engine != engine || task.op == no_index || is_pageable(in.sources.trace, task)) {
        continue;
      }
      const Bytes own = in.sources.trace.devices[task.device].ops.bytes[task.op];
      if (own >= assumed::large_copy) continue;
      ++count;
      ns += in.sources.graph.times.tasks[t].length();
      bytes += own;
    }
    const double rate = copy_rates(in.sources.trace, in.scope.device).of(engine);
    if (count < assumed::enough_examples || rate <= 0) continue;
    const auto at_rate = static_cast<std::int64_t>(static_cast<double>(bytes) / rate);
    if (portion(ns - at_rate, in.wall) < assumed::least_saving) continue;
    advice.push_back({SmallCopies{engine, count, bytes, portion(ns, in.wall), portion(bytes, ns),
                                  rate, portion(at_rate, in.wall)}});
  }
}

// Finds copies of one size that repeatedly go to the device and back while nothing else runs.
// OpenMP and OpenACC often copy a program's arrays in this way before and after each kernel.
void advise_resident(const AdviceInput& in, std::vector<Advice>& advice) {
  const bool has_better = std::ranges::any_of(in.result.findings, [](const FindingResult& one) {
    return one.saving_share >= assumed::large_part;
  });
  // If an engine is the bound, advise_bound() gives advice.
  const bool is_bound = in.result.bound_share >= assumed::bound_engine;
  if (has_better || is_bound || hides_copies(in)) return;
  struct Both {
    std::int64_t in = 0;
    std::int64_t out = 0;
    Ns ns = 0;
  };
  std::map<Bytes, Both> by_size;
  for (const std::uint32_t t : in.scope.tasks) {
    const Task& task = in.sources.graph.tasks[t];
    const bool is_in = task.engine == Engine::h2d;
    if (task.op == no_index || (!is_in && task.engine != Engine::d2h)) continue;
    const Bytes bytes = in.sources.trace.devices[task.device].ops.bytes[task.op];
    if (bytes < assumed::large_copy) continue;
    Both& both = by_size[bytes];
    ++(is_in ? both.in : both.out);
    both.ns += in.sources.graph.times.tasks[t].length();
  }
  const auto most =
      std::ranges::max_element(by_size, {}, [](const auto& one) { return one.second.ns; });
  if (most == by_size.end()) return;
  const auto& [bytes, both] = *most;
  const std::int64_t rounds = std::min(both.in, both.out);
  if (rounds < assumed::enough_examples || portion(both.ns, in.wall) < assumed::majority) return;
  advice.push_back({SameSizeBothWays{bytes, both.in, both.out, portion(both.ns, in.wall)}});
}

// Finds a long copy during which nothing else runs. If the copy were cut into parts, other work
// could run at the same time as a part.
void advise_chunk(const AdviceInput& in, std::vector<Advice>& advice) {
  if (in.result.bound_share >= assumed::bound_engine || in.use.longest_copy == no_index) return;
  const Task& copy = in.sources.graph.tasks[in.use.longest_copy];
  const Interval inside = in.sources.graph.times.tasks[in.use.longest_copy].within(in.scope.window);
  std::vector<Engine> others(all_engines.begin(), all_engines.end());
  std::erase(others, copy.engine);
  const IntervalSet busy = busy_with(in, others);
  if (busy.empty()) return;
  const double alone = portion(inside.length() - busy.length_in(inside), in.wall);
  if (alone < assumed::large_part) return;
  advice.push_back({LongCopy{GraphNames(in.sources).of_task(in.use.longest_copy), alone}});
}

}  // namespace lapscope::analyzer
