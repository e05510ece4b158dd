#include "workloads/harness/tile_pace.h"

#include <algorithm>

namespace lapscope::workloads {
namespace {

constexpr std::size_t fewest_tiles = 8;

}  // namespace

double engine_bound_us(double copy_in_us, double kernel_us, double copy_out_us) {
  return std::max({copy_in_us, kernel_us, copy_out_us});
}

// From a third of the way to the end of the last tile but one: neither filling nor draining.
std::optional<double> steady_period_us(std::span<const double> ends_us) {
  if (ends_us.size() < fewest_tiles) return std::nullopt;
  const std::size_t from = ends_us.size() / 3;
  const std::size_t to = ends_us.size() - 2;
  return (ends_us[to] - ends_us[from]) / static_cast<double>(to - from);
}

void TilePace::note_run() {
  std::vector<double> ends_us;
  for (const Event& mark : marks_) ends_us.push_back(mark.us_since(marks_.front()));
  if (const auto period = steady_period_us(ends_us)) periods_us_.push_back(*period);
}

void TilePace::report(Report& report, double engine_bound_us) const {
  if (periods_us_.empty()) return;
  const double period_us = median(periods_us_);
  report.add_number("engine_bound_ms", static_cast<double>(marks_.size()) * engine_bound_us / 1e3);
  report.add_number("engine_bound_us_per_tile", engine_bound_us);
  report.add_number("steady_us_per_tile", period_us);
  report.add_number("steady_ratio", period_us / engine_bound_us);
}

}  // namespace lapscope::workloads
