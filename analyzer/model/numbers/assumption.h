#pragma once

#include <cstdint>
#include <span>
#include <string_view>

// Every number that decides what is found, predicted or shown and that no record has stands in
// one of three tables, docs/numbers.md is made of them (tests/approve.sh). What a trace has
// examples of is measured there; Graph::assumed names those that stand in for what it has none of.
// What only bounds the time that the analysis takes stands where it is used.
namespace lapscope::analyzer {

// A build for tests/bench/ablate.py can have other numbers and leave out rules: ablation.h.
#ifdef LAPSCOPE_ABLATION
#define LAPSCOPE_ABLATED mutable
#else
#define LAPSCOPE_ABLATED
#endif

enum class AssumedUnit { ns, bytes, share, times, count };

struct Assumption {
  std::string_view name;  // as below
  AssumedUnit unit;
  double number;
  std::string_view meaning;
  std::string_view source;    // how it was obtained, or "chosen: " and why
  std::string_view measured;  // the GPU, the command and the date; empty: it was not measured
  std::string_view option;    // that changes it; empty when none does
#ifdef LAPSCOPE_ABLATION
  void (*set)(const Assumption& one, double number) = nullptr;
#endif
};

// One of them, which code uses as the number that it is.
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
