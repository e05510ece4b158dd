#include "analyzer/analysis/lengthened_kernels.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "analyzer/machine/sm_use.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

struct Lengthened {
  std::int64_t kernels = 0;
  double recorded_ns = 0;
  double longer_ns = 0;
  double all_kernels_ns = 0;
  std::map<std::uint32_t, double> longer_by_name;
};

void add(const Device& device, Lengthened& sum) {
  const Ops& ops = device.ops;
  std::vector<double> waves;  // by shape; 0 if not known, or if all blocks fit at once
  for (const LaunchGeometry& geometry : ops.geometries) {
    const auto use = sm_use(geometry, device.limits);
    waves.push_back(use && use->fills() ? use->waves : 0);
  }
  for (std::uint32_t op = 0; op < ops.size(); ++op) {
    if (ops.kind[op] != OpKind::kernel) continue;
    const auto recorded = static_cast<double>(ops.interval(op).length());
    sum.all_kernels_ns += recorded;
    if (ops.geometry[op] == no_index) continue;
    const double longer = std::min(
        recorded, waves[ops.geometry[op]] * static_cast<double>(assumed::wave_overhead.value));
    if (longer < assumed::least_saving * recorded || longer == 0) continue;
    ++sum.kernels;
    sum.recorded_ns += recorded;
    sum.longer_ns += longer;
    sum.longer_by_name[ops.name[op]] += longer;
  }
}

}  // namespace

std::optional<HealthRow> lengthened_kernels(const Trace& trace) {
  Lengthened sum;
  for (const Device& device : trace.devices) add(device, sum);
  if (sum.kernels == 0 || sum.longer_ns < assumed::noteworthy * sum.all_kernels_ns) {
    return std::nullopt;
  }
  const auto most =
      std::ranges::max_element(sum.longer_by_name, {}, [](const auto& one) { return one.second; });
  const std::int64_t percent = std::llround(100 * sum.longer_ns / sum.recorded_ns);
  return HealthRow{
      HealthKind::kernels_lengthened, sum.kernels, {trace.names.text(most->first), percent}};
}

}  // namespace lapscope::analyzer
