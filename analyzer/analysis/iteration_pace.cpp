#include "analyzer/analysis/iteration_pace.h"

#include <algorithm>
#include <array>
#include <vector>

#include "analyzer/analysis/quartiles.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

std::vector<NvtxRange> recorded_iterations(const Trace& trace) {
  const std::string& name = trace.unrecorded.range;
  std::vector<NvtxRange> iterations;
  bool is_first = true;
  for (const NvtxRange& range : trace.ranges) {
    if (trace.names.text(range.name) != name) continue;
    const bool is_whole = !is_first && range.interval.end != latest_time;
    is_first = false;
    if (is_whole) iterations.push_back(range);
  }
  return iterations;
}

std::vector<Ns> lengths_of(const std::vector<NvtxRange>& ranges) {
  std::vector<Ns> lengths;
  for (const NvtxRange& range : ranges) lengths.push_back(range.interval.length());
  return lengths;
}

// Returns the lower quartile, the median and the upper quartile.
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

Ns total_length(const std::vector<NvtxRange>& ranges) {
  Ns total = 0;
  for (const NvtxRange& range : ranges) total += range.interval.length();
  return total;
}

std::optional<ComparedRanges> paced_iterations(const Trace& trace) {
  const auto enough = static_cast<std::size_t>(assumed::enough_examples.value);
  const std::vector<Ns>& unrecorded = trace.unrecorded.ns;
  if (unrecorded.size() < enough) return std::nullopt;
  ComparedRanges paced{recorded_iterations(trace), {}};
  if (paced.ranges.size() < enough) return std::nullopt;
  const auto count = static_cast<Ns>(paced.ranges.size());
  const std::array<Ns, 3> before = quartiles_of(unrecorded);
  paced.bare.recorded_ns = total_length(paced.ranges);
  paced.bare.least_ns = count * before[0];
  paced.bare.median_ns = count * before[1];
  paced.bare.most_ns = count * before[2];
  paced.bare.runs = static_cast<std::int64_t>(unrecorded.size());
  return paced;
}

std::optional<HealthRow> iteration_pace(const Trace& trace) {
  const auto paced = paced_iterations(trace);
  if (!paced) return std::nullopt;
  const std::array<Ns, 3> during = quartiles_of(lengths_of(paced->ranges));
  const std::array<Ns, 3> before = quartiles_of(trace.unrecorded.ns);
  HealthRow row{kind_of(during, before), static_cast<std::int64_t>(paced->ranges.size()), {}};
  row.details = {trace.unrecorded.range, during[0], during[1], during[2],
                 paced->bare.runs,       before[0], before[1], before[2]};
  return row;
}

}  // namespace lapscope::analyzer
