#include "workloads/harness/tile_pipeline.h"

#include <algorithm>

namespace lapscope::workloads {

std::vector<Tile> schedule_tiles(std::size_t tiles, std::size_t streams,
                                 std::size_t elements_per_tile) {
  std::vector<Tile> schedule;
  schedule.reserve(tiles);
  for (std::size_t i = 0; i < tiles; ++i) {
    schedule.push_back({i, i * elements_per_tile, i % streams, "tile " + std::to_string(i)});
  }
  return schedule;
}

namespace {

constexpr std::size_t fewest_periods = 3;

}  // namespace

double engine_bound_us(double copy_in_us, double kernel_us, double copy_out_us) {
  return std::max({copy_in_us, kernel_us, copy_out_us});
}

std::optional<double> steady_period_us(std::vector<double> ends_us, std::size_t buffers) {
  if (ends_us.size() < 2 * buffers + 1 + fewest_periods) return std::nullopt;
  std::ranges::sort(ends_us);
  const std::size_t from = buffers;
  const std::size_t to = ends_us.size() - 1 - buffers;
  return (ends_us[to] - ends_us[from]) / static_cast<double>(to - from);
}

void TilePace::note_run(double engine_bound_us) {
  std::vector<double> ends_us;
  for (const Event& mark : marks_) ends_us.push_back(mark.us_since(marks_.front()));
  const auto period = steady_period_us(ends_us, buffers_);
  if (!period) return;
  bounds_us_.push_back(engine_bound_us);
  periods_us_.push_back(*period);
  ratios_.push_back(*period / engine_bound_us);
}

void TilePace::report(Report& report) const {
  if (ratios_.empty()) return;
  const double bound_us = median(bounds_us_);
  report.add_number("engine_bound_ms", static_cast<double>(marks_.size()) * bound_us / 1e3);
  report.add_number("engine_bound_us_per_tile", bound_us);
  report.add_number("steady_us_per_tile", median(periods_us_));
  report.add_number("steady_ratio", median(ratios_));
}

}  // namespace lapscope::workloads
