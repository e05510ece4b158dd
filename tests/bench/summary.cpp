#include "tests/bench/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>

namespace lapscope::bench {
namespace {

constexpr double mib = 1024 * 1024;

std::vector<double> all(const std::vector<Run>& runs, double Run::*what) {
  std::vector<double> values;
  for (const Run& run : runs) values.push_back(run.*what);
  return values;
}

double quickest(const std::vector<Run>& runs) { return std::ranges::min(all(runs, &Run::wall_s)); }

double peak_rss(const SizeRuns& runs) {
  std::vector<double> peaks;
  for (const Run& run : runs.analyze) peaks.push_back(static_cast<double>(run.peak_rss));
  return median(peaks);
}

double memory_of_ops(const SizeRuns& runs) {
  return peak_rss(runs) - static_cast<double>(runs.empty_rss);
}

// Formats times in ms as "123.4 (120.1 to 130.9)".
std::string times(const std::vector<Run>& runs) {
  const std::vector<double> wall = all(runs, &Run::wall_s);
  return fmt::format("{:.1f} ({:.1f} to {:.1f})", 1e3 * median(wall), 1e3 * std::ranges::min(wall),
                     1e3 * std::ranges::max(wall));
}

const char* verdict(double value, double goal) { return value <= goal ? "met" : "missed"; }

}  // namespace

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double ratio(const SizeRuns& runs) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < runs.analyze.size(); ++i) {
    ratios.push_back(runs.analyze[i].wall_s / runs.scan[i].wall_s);
  }
  return median(ratios);
}

double ratio_of_quickest(const SizeRuns& runs) {
  return quickest(runs.analyze) / quickest(runs.scan);
}

double bytes_per_op(const SizeRuns& runs) {
  return memory_of_ops(runs) / static_cast<double>(runs.ops);
}

double growth_exponent(double x1, double y1, double x2, double y2) {
  return std::log(y2 / y1) / std::log(x2 / x1);
}

void print_summary(const std::vector<SizeRuns>& sizes, const Goals& goals, std::ostream& out) {
  out << fmt::format("\n{:>11}  {:>9}  {:>8}  {:>28}  {:>28}  {:>9}\n", "ops", "file MiB",
                     "read ms", "sqlite_scan ms (range)", "analyze ms (range)", "CPU ms");
  for (const SizeRuns& size : sizes) {
    out << fmt::format("{:>11}  {:>9.1f}  {:>8.1f}  {:>28}  {:>28}  {:>9.1f}\n", size.ops,
                       static_cast<double>(size.file_bytes) / mib, 1e3 * size.read_s,
                       times(size.scan), times(size.analyze),
                       1e3 * median(all(size.analyze, &Run::cpu_s)));
  }
  out << fmt::format("\n{:>11}  {:>12}  {:>11}  {:>8}  {:>8}  {:>8}  {:>9}\n", "ops",
                     "analyze/scan", "of quickest", fmt::format("goal {}", goals.ratio), "peak MiB",
                     "bytes/op", fmt::format("goal {}", goals.bytes_per_op));
  for (const SizeRuns& size : sizes) {
    out << fmt::format("{:>11}  {:>12.2f}  {:>11.2f}  {:>8}  {:>8.1f}  {:>8.1f}  {:>9}\n", size.ops,
                       ratio(size), ratio_of_quickest(size), verdict(ratio(size), goals.ratio),
                       peak_rss(size) / mib, bytes_per_op(size),
                       verdict(bytes_per_op(size), goals.bytes_per_op));
  }
  for (std::size_t i = 1; i < sizes.size(); ++i) {
    const SizeRuns& small = sizes[i - 1];
    const SizeRuns& large = sizes[i];
    const auto exponent = [&](double y1, double y2) {
      return growth_exponent(static_cast<double>(small.ops), y1, static_cast<double>(large.ops),
                             y2);
    };
    out << fmt::format(
        "{}from {} to {} ops: time grows with the power {:.2f}, memory {:.2f}, "
        "scan {:.2f} (1 is linear)\n",
        i == 1 ? "\n" : "", small.ops, large.ops,
        exponent(quickest(small.analyze), quickest(large.analyze)),
        exponent(memory_of_ops(small), memory_of_ops(large)),
        exponent(quickest(small.scan), quickest(large.scan)));
  }
}

}  // namespace lapscope::bench
