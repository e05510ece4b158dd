#include "cli/number_checks.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace lapscope::cli {
namespace {

CLI::Validator check(double least, double most, const std::string& words) {
  return CLI::Validator(
      [least, most, words](std::string& text) -> std::string {
        double value = 0;
        const bool is_number = CLI::detail::lexical_cast(text, value);
        if (is_number && least <= value && value <= most) return {};
        return "'" + text + "' is not " + words;
      },
      words);
}

}  // namespace

CLI::Validator from_to(double least, double most) {
  // Returns a number as text, without an exponent and without trailing zeros.
  const auto number = [](double value) {
    return value < 1 && value > 0 ? fmt::format("{:g}", value) : fmt::format("{:.0f}", value);
  };
  return check(least, most, "from " + number(least) + " to " + number(most));
}

CLI::Validator at_least(double least) {
  return check(least, 1e12, fmt::format("{:.0f} or more", least));
}

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(std::llround(seconds * 1000));
}

}  // namespace lapscope::cli
