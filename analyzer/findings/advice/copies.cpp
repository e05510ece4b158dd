#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyzer/findings/advice/steps.h"
#include "analyzer/findings/places.h"
#include "analyzer/fixes/fix.h"
#include "analyzer/graph/copy_rates.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Whether a good part of the copies has kernels beside it.
bool hides_copies(const AdviceInput& in) {
  std::vector<Interval> copies;
  for (const Engine engine : {Engine::h2d, Engine::d2h}) {
    const auto& busy = in.use.busy[static_cast<std::size_t>(engine)];
    copies.insert(copies.end(), busy.begin(), busy.end());
  }
  const IntervalSet all = IntervalSet::union_of(std::move(copies));
  const IntervalSet kernels =
      IntervalSet::union_of(in.use.busy[static_cast<std::size_t>(Engine::compute)]);
  return share(intersect(all, kernels).length(), all.length()) >= assumed::large_part;
}

}  // namespace

void advise_pin(const AdviceInput& in, std::vector<Advice>& advice) {
  if (in.is_found(Cause::pageable_copy) ||
      share(in.use.pageable_ns, in.wall) < assumed::least_saving)
    return;
  std::string text = fmt::format(
      "{} copies, {:.1f} % of the time, are of pageable memory, for which "
      "cudaMemcpyAsync waits until the driver has taken the data. "
      "Page-lock it (cudaMallocHost, cudaHostRegister).",
      in.use.pageable, 100 * share(in.use.pageable_ns, in.wall));
  const Fix* fix = fix_for(Cause::pageable_copy);
  const std::string unknown = fix->lacks(in.sources.trace, in.sources.graph);
  if (!unknown.empty()) text += " " + unknown;
  advice.push_back({"pin", std::move(text)});
}

// A copy takes a few us to start, whatever its size: many small ones are slower than the link.
void advise_small_copies(const AdviceInput& in, std::vector<Advice>& advice) {
  if (in.is_found(Cause::small_copies)) return;
  for (const Engine engine : {Engine::h2d, Engine::d2h}) {
    std::int64_t count = 0;
    std::int64_t ns = 0;
    std::int64_t bytes = 0;
    for (const std::uint32_t t : in.scope.tasks) {
      const Task& task = in.sources.graph.tasks[t];
      if (task.engine != engine || task.op == no_index || is_pageable(in.sources.trace, task)) {
        continue;
      }
      const std::int64_t own = in.sources.trace.devices[task.device].ops.bytes[task.op];
      if (own >= assumed::large_copy) continue;
      ++count;
      ns += task.end - task.start;
      bytes += own;
    }
    const double rate = copy_rates(in.sources.trace, in.scope.device).of(engine);
    if (count < assumed::enough_examples || rate <= 0) continue;
    const auto at_rate = static_cast<std::int64_t>(static_cast<double>(bytes) / rate);
    if (share(ns - at_rate, in.wall) < assumed::least_saving) continue;
    advice.push_back(
        {"small-copies",
         fmt::format("{} copies {} of {:.1f} KiB on average take {:.1f} % of the time, at {:.1f} "
                     "GB/s; as fewer large ones, at {:.1f} GB/s, they would take {:.1f} %. Fill "
                     "one buffer on the host and copy that, for many at once.",
                     count, engine == Engine::h2d ? "to the device" : "to the host",
                     static_cast<double>(bytes) / static_cast<double>(count << 10),
                     100 * share(ns, in.wall), share(bytes, ns), rate,
                     100 * share(at_rate, in.wall))});
  }
}

// Copies of one size to the device and back, again and again, with nothing beside them: mostly
// arrays that a framework (OpenMP, OpenACC) copies around each kernel.
void advise_resident(const AdviceInput& in, std::vector<Advice>& advice) {
  const bool has_better =
      std::any_of(in.result.findings.begin(), in.result.findings.end(),
                  [](const FindingResult& one) { return one.saving_share >= assumed::large_part; });
  const bool is_bound = in.result.bound_share >= assumed::bound_engine;  // advise_bound() says it
  if (has_better || is_bound || hides_copies(in)) return;
  struct Both {
    std::int64_t in = 0;
    std::int64_t out = 0;
    std::int64_t ns = 0;
  };
  std::map<std::int64_t, Both> by_size;
  for (const std::uint32_t t : in.scope.tasks) {
    const Task& task = in.sources.graph.tasks[t];
    const bool is_in = task.engine == Engine::h2d;
    if (task.op == no_index || (!is_in && task.engine != Engine::d2h)) continue;
    const std::int64_t bytes = in.sources.trace.devices[task.device].ops.bytes[task.op];
    if (bytes < assumed::large_copy) continue;
    Both& both = by_size[bytes];
    ++(is_in ? both.in : both.out);
    both.ns += task.end - task.start;
  }
  const auto most =
      std::max_element(by_size.begin(), by_size.end(),
                       [](const auto& a, const auto& b) { return a.second.ns < b.second.ns; });
  if (most == by_size.end()) return;
  const auto& [bytes, both] = *most;
  const std::int64_t rounds = std::min(both.in, both.out);
  if (rounds < assumed::least_rounds || share(both.ns, in.wall) < assumed::majority) return;
  advice.push_back(
      {"resident", fmt::format("{:.1f} MiB go to the device {} times and back {} times, which "
                               "takes {:.0f} % of the time. If it is the same data each time, "
                               "keep it on the device and copy what changed.",
                               static_cast<double>(bytes) / (1 << 20), both.in, both.out,
                               100 * share(both.ns, in.wall))});
}

// Work can only overlap with what is not all done at once.
void advise_chunk(const AdviceInput& in, std::vector<Advice>& advice) {
  if (in.result.bound_share >= assumed::bound_engine || in.use.longest_copy == no_index) return;
  const Task& copy = in.sources.graph.tasks[in.use.longest_copy];
  const Interval inside{std::max(copy.start, in.scope.window.start),
                        std::min(copy.end, in.scope.window.end)};
  std::vector<Interval> others;
  for (const Engine engine : all_engines) {
    if (engine == copy.engine) continue;
    const auto& busy = in.use.busy[static_cast<std::size_t>(engine)];
    others.insert(others.end(), busy.begin(), busy.end());
  }
  if (others.empty()) return;
  const std::int64_t beside =
      intersect(IntervalSet::union_of({inside}), IntervalSet::union_of(std::move(others))).length();
  const double alone = share(inside.length() - beside, in.wall);
  if (alone < assumed::large_part) return;
  advice.push_back(
      {"chunk", fmt::format("One {} takes {:.1f} % of the time with nothing beside it. Split the "
                            "data into tiles, a few for each of two to four streams, so that one "
                            "is copied while another is processed.",
                            GraphNames(in.sources).of_task(in.use.longest_copy), 100 * alone)});
}

}  // namespace lapscope::analyzer
