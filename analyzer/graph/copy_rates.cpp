#include "analyzer/graph/copy_rates.h"

#include <algorithm>

#include "analyzer/intervals/units.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Returns the rate of the quickest large page-locked copy on an engine, in bytes per ns, or 0.
double best_rate(const Ops& ops, Engine engine) {
  double best = 0;
  for (std::size_t op = 0; op < ops.size(); ++op) {
    const Ns length = ops.end[op] - ops.start[op];
    if (ops.engine[op] != engine || ops.bytes[op] < assumed::large_copy || length <= 0) continue;
    if ((ops.memory[op] & (source_pageable | target_pageable)) != 0) continue;
    best = std::max(best, static_cast<double>(ops.bytes[op]) / static_cast<double>(length));
  }
  return best;
}

}  // namespace

CopyRates copy_rates(const Trace& trace, std::size_t device) {
  const Ops& ops = trace.devices[device].ops;
  const double to_device = best_rate(ops, Engine::h2d);
  const double to_host = best_rate(ops, Engine::d2h);
  const auto link = trace.devices[device].links.host;
  double other = std::max(to_device, to_host);
  CopyRates rates;
  rates.is_assumed = other == 0 && link;
  if (rates.is_assumed) other = static_cast<double>(*link) / 1e9 * assumed::share_of_link;
  rates.by_engine[static_cast<std::size_t>(Engine::h2d)] = to_device > 0 ? to_device : other;
  rates.by_engine[static_cast<std::size_t>(Engine::d2h)] = to_host > 0 ? to_host : other;
  return rates;
}

std::vector<CopyRates> copy_rates(const Trace& trace) {
  std::vector<CopyRates> rates;
  for (std::size_t d = 0; d < trace.devices.size(); ++d) rates.push_back(copy_rates(trace, d));
  return rates;
}

}  // namespace lapscope::analyzer
