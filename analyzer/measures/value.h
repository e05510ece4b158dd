#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

namespace lapscope::analyzer {

// An exact ratio. It is converted to a floating-point number only when it is shown.
struct Ratio {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;

  double value() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }
  friend bool operator==(const Ratio&, const Ratio&) = default;
};

struct Nanoseconds {
  std::int64_t count = 0;
  friend bool operator==(const Nanoseconds&, const Nanoseconds&) = default;
};

// The result for a measure that is not defined for an activity.
struct Undefined {
  std::string_view reason;  // refers to a string literal
  friend bool operator==(const Undefined&, const Undefined&) = default;
};

using Value = std::variant<Nanoseconds, Ratio, Undefined>;

// Returns numerator / denominator, or Undefined if the denominator is 0.
inline Value ratio_or(std::int64_t numerator, std::int64_t denominator, const char* reason) {
  if (denominator == 0) return Undefined{reason};
  return Ratio{numerator, denominator};
}

}  // namespace lapscope::analyzer
