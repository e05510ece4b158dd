#include "reports/words/format.h"

#include <fmt/format.h>

#include <cmath>

namespace lapscope::reports {

std::string format_ns(std::int64_t ns) {
  const auto value = static_cast<double>(ns);
  const double size = std::abs(value);
  // What would round to 1000.000 takes the next unit.
  if (size < 1e3) return fmt::format("{} ns", ns);
  if (size < 1e6) return fmt::format("{:.3f} us", value / 1e3);
  if (size < 999'999'500) return fmt::format("{:.3f} ms", value / 1e6);
  return fmt::format("{:.3f} s", value / 1e9);
}

std::string format_share(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return "";
  return fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string format_value(const analyzer::Value& value) {
  if (const auto* ns = std::get_if<analyzer::Nanoseconds>(&value)) return format_ns(ns->count);
  if (const auto* ratio = std::get_if<analyzer::Ratio>(&value)) {
    const std::string text = fmt::format("{:.3f}", ratio->value());
    return text == "-0.000" ? "0.000" : text;
  }
  return "n/a";
}

std::string format_rate(std::int64_t bytes_per_s) {
  return fmt::format("{:.1f} GB/s", static_cast<double>(bytes_per_s) / 1e9);
}

}  // namespace lapscope::reports
