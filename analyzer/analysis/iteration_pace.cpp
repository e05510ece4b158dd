#include "analyzer/analysis/iteration_pace.h"

#include <algorithm>
#include <array>
#include <vector>

#include "analyzer/analysis/quartiles.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

std::vector<Ns> recorded_iterations(const Trace& trace, const std::string& name) {
  std::vector<Ns> lengths;
  bool is_first = true;
  for (const NvtxRange& range : trace.ranges) {
    if (trace.names.text(range.name) != name) continue;
    const bool is_whole = !is_first && range.interval.end != latest_time;
    is_first = false;
    if (is_whole) lengths.push_back(range.interval.length());
  }
  return lengths;
}

// The lower quartile, the median and the upper quartile.
std::array<Ns, 3> quartiles_of(std::vector<Ns> values) {
  std::sort(values.begin(), values.end());
  std::array<Ns, 3> quartiles{};
  for (std::size_t q = 0; q < quartiles.size(); ++q) {
    const auto rank = rank_of_quartile(static_cast<std::int64_t>(values.size()),
                                       static_cast<std::int64_t>(q) + 1);
    quartiles[q] = values[static_cast<std::size_t>(rank)];
  }
  return quartiles;
}

HealthKind kind_of(const std::array<Ns, 3>& recorded, const std::array<Ns, 3>& before) {
  if (recorded[2] < before[0]) return HealthKind::iterations_faster;
  if (recorded[0] <= before[2]) return HealthKind::iterations_alike;
  const auto added = static_cast<double>(recorded[1] - before[1]);
  return added > assumed::large_part * static_cast<double>(before[1])
             ? HealthKind::iterations_much_slower
             : HealthKind::iterations_slower;
}

}  // namespace

std::optional<HealthRow> iteration_pace(const Trace& trace) {
  const UnrecordedIterations& unrecorded = trace.unrecorded;
  const auto enough = static_cast<std::size_t>(assumed::enough_examples.value);
  if (unrecorded.ns.size() < enough) return std::nullopt;
  const std::vector<Ns> recorded = recorded_iterations(trace, unrecorded.range);
  if (recorded.size() < enough) return std::nullopt;
  const std::array<Ns, 3> during = quartiles_of(recorded);
  const std::array<Ns, 3> before = quartiles_of(unrecorded.ns);
  HealthRow row{kind_of(during, before), static_cast<std::int64_t>(recorded.size()), {}};
  row.details = {unrecorded.range,
                 during[0],
                 during[1],
                 during[2],
                 static_cast<std::int64_t>(unrecorded.ns.size()),
                 before[0],
                 before[1],
                 before[2]};
  return row;
}

}  // namespace lapscope::analyzer
