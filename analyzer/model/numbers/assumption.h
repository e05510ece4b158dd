#pragma once

#include <cstdint>
#include <span>
#include <string_view>

// The assumed numbers. Findings, predictions and displays depend on them, and no record contains
// them. They stand in three tables. From these tables, tests/approve.sh writes docs/numbers.md. A
// number is measured in the trace if the trace has examples of it. If not, the assumed number is
// used, and Parameters::stand_ins names it. A number that affects nothing but the time of the
// analysis is defined in the file that uses it.
namespace lapscope::analyzer {

// In builds for tests/bench/ablate.py, numbers can be changed and rules can be switched off
// (ablation.h).
#ifdef LAPSCOPE_ABLATION
#define LAPSCOPE_ABLATED mutable
#else
#define LAPSCOPE_ABLATED
#endif

enum class AssumedUnit { ns, bytes, share, times, count };

struct Assumption {
  std::string_view name;  // the name of the constant
  AssumedUnit unit;
  double number;
  std::string_view meaning;
  std::string_view source;    // how the number was obtained, or "chosen: " and why
  std::string_view measured;  // the GPU, the command and the date; empty: not measured
  std::string_view option;    // the option that changes the number; empty: none
#ifdef LAPSCOPE_ABLATION
  void (*set)(const Assumption& one, double number) = nullptr;
#endif
};

// An assumption that converts to its number.
template <class Number>
struct Assumed : Assumption {
  LAPSCOPE_ABLATED Number value;

  constexpr Assumed(Number value_of, AssumedUnit unit_of, std::string_view name_of,
                    std::string_view meaning_of, std::string_view source_of,
                    std::string_view measured_of = "", std::string_view option_of = "")
      : Assumption{name_of,     unit_of,  static_cast<double>(value_of), meaning_of, source_of,
                   measured_of, option_of},
        value(value_of) {
#ifdef LAPSCOPE_ABLATION
    set = [](const Assumption& one, double number) {
      static_cast<const Assumed&>(one).value = static_cast<Number>(number);
    };
#endif
  }
  constexpr operator Number() const { return value; }
};

namespace assumed {

using Long = Assumed<std::int64_t>;
using Count = Assumed<std::uint32_t>;
using Real = Assumed<double>;
using enum AssumedUnit;

inline constexpr std::string_view h200 = "H200, driver 580.159.04, CUDA 13.0";
inline constexpr std::string_view traces =
    "H200: tests/bench/measure_assumptions.py tests/traces, 2026-11-22";
inline constexpr std::string_view recording =
    "H200: tests/bench/collector/record_kinds.py, 2026-11-22";

}  // namespace assumed
}  // namespace lapscope::analyzer
