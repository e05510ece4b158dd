#include <algorithm>
#include <map>
#include <string>

#include "analyzer/findings/advice/steps.h"
#include "analyzer/graph/copy_rates.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Returns the rate that copies reach on their link, in bytes per ns:
// - If the link's rate is known: this rate, times assumed::share_of_link.
// - If it is not known, and `engine` copies between host and device: the rate of the quickest large
//   copy between host and device, in either direction; 0 if there is no such copy.
// - In all other cases: 0.
double link_of(const AdviceInput& in, Engine engine) {
  const LinkRates& links = in.sources.trace.devices[in.scope.device].links;
  const auto carried = engine == Engine::other_copy ? links.peer : links.host;
  if (carried) return static_cast<double>(*carried) / 1e9 * assumed::share_of_link;
  if (engine == Engine::other_copy) return 0;
  const CopyRates rates = copy_rates(in.sources.trace, in.scope.device);
  return std::max(rates.of(Engine::h2d), rates.of(Engine::d2h));
}

bool is_large(const AdviceInput& in, const Task& task, Engine engine) {
  if (task.engine != engine || task.op == no_index || is_pageable(in.sources.trace, task)) {
    return false;
  }
  const Ops& ops = in.sources.trace.devices[task.device].ops;
  // A copy within a device uses no link.
  const bool goes_out = engine != Engine::other_copy || ops.kind[task.op] == OpKind::peer_copy;
  return goes_out && ops.bytes[task.op] >= assumed::large_copy;
}

// Returns the function that made most of the copies; empty if the calls are not known.
std::string function_of(const AdviceInput& in, const std::vector<std::uint32_t>& tasks) {
  const Trace& trace = in.sources.trace;
  std::map<std::uint32_t, std::int64_t> copies;  // by name of the function
  for (const std::uint32_t t : tasks) {
    const std::uint32_t step = in.sources.graph.tasks[t].step;
    if (step != no_index) ++copies[trace.calls.name[in.sources.graph.steps[step].call]];
  }
  const auto most =
      std::ranges::max_element(copies, {}, [](const auto& one) { return one.second; });
  return most == copies.end() ? "" : function_name(trace.names.text(most->first));
}

}  // namespace

LargeCopies large_copies(const AdviceInput& in, Engine engine) {
  LargeCopies copies;
  Bytes bytes = 0;
  for (const std::uint32_t t : in.scope.tasks) {
    const Task& task = in.sources.graph.tasks[t];
    if (!is_large(in, task, engine)) continue;
    copies.tasks.push_back(t);
    copies.ns += in.sources.graph.times.tasks[t].length();
    bytes += in.sources.trace.devices[task.device].ops.bytes[task.op];
  }
  copies.rate = portion(bytes, copies.ns);
  copies.link = link_of(in, engine);
  return copies;
}

// Finds copies that keep their engine busy, but do not fill their link. For example, the rows of a
// copy are too short, or a copy between devices goes through the host.
bool advise_slow_copies(const AdviceInput& in, std::vector<Advice>& advice) {
  bool is_told = false;
  for (const Engine engine : {Engine::h2d, Engine::d2h, Engine::other_copy}) {
    const LargeCopies copies = large_copies(in, engine);
    if (copies.rate <= 0 || copies.link <= copies.rate) continue;
    const auto at_link =
        static_cast<Ns>(static_cast<double>(copies.ns) * copies.rate / copies.link);
    if (portion(copies.ns - at_link, in.wall) < assumed::large_part) continue;
    SlowCopies slow{engine, static_cast<std::int64_t>(copies.tasks.size()),
                    portion(copies.ns, in.wall), copies.rate, copies.link};
    slow.function = function_of(in, copies.tasks);
    slow.is_of_rows = slow.function.find("2D") != std::string::npos ||
                      slow.function.find("3D") != std::string::npos;
    slow.is_to_peers = engine == Engine::other_copy;
    advice.push_back({std::move(slow), true});
    is_told = true;
  }
  return is_told;
}

}  // namespace lapscope::analyzer
