#include "analyzer/gate/parse_condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include "analyzer/fixes/fix.h"
#include "analyzer/model/name_pattern.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {
namespace {

enum class Unit { none, percent, time };

// The greatest tolerance, in ns: one day. Evaluated runs are shorter.
constexpr double most_ns = 24 * 3600 * 1e9;

constexpr const char* hint_of_percent = "; 50 percent are 0.5 or 50%";

struct Quantity {
  double value = 0;  // percent as a share (5 % is 0.05), times in ns
  Unit unit = Unit::none;
};

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<Quantity> quantity_of(std::string_view text) {
  text = trimmed(text);
  double number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !std::isfinite(number)) return std::nullopt;
  const auto unit = trimmed(text.substr(static_cast<std::size_t>(rest - text.data())));
  if (unit.empty()) return Quantity{number, Unit::none};
  if (unit == "%") return Quantity{number / 100, Unit::percent};
  if (unit == "ns") return Quantity{number, Unit::time};
  if (unit == "us" || unit == "µs") return Quantity{number * 1e3, Unit::time};
  if (unit == "ms") return Quantity{number * 1e6, Unit::time};
  if (unit == "s") return Quantity{number * 1e9, Unit::time};
  return std::nullopt;
}

Quantity parse_quantity(std::string_view text) {
  const auto quantity = quantity_of(text);
  if (!quantity) {
    throw ConditionError(
        fmt::format("'{}' is not a number; write a ratio as 0.8 or 80%, a time as 8.5ms", text));
  }
  return *quantity;
}

std::string_view key_of(std::string_view text) { return trimmed(text.substr(0, text.find('='))); }

std::optional<std::string_view> value_of(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  return trimmed(text.substr(equals + 1));
}

// Returns the value of a text in the unit of the measure: a ratio for "0.8" or "80%", and ns for
// "8.5ms".
double parse_value(const Measure& measure, std::string_view text) {
  const Quantity quantity = parse_quantity(text);
  const bool is_time = quantity.unit == Unit::time;
  if (measure.unit == MeasureUnit::ns && !is_time) {
    throw ConditionError(
        fmt::format("{} is a time: write '{}' with a unit, as 8.5ms", measure.name, text));
  }
  if (measure.unit == MeasureUnit::ratio && is_time) {
    throw ConditionError(
        fmt::format("{} is a ratio: write 0.8 or 80%, not '{}'", measure.name, text));
  }
  return quantity.value;
}

}  // namespace

const Measure& parse_measure(std::string_view name) {
  if (const Measure* measure = find_measure(name)) return *measure;
  std::vector<std::string_view> names;
  for (const auto& some : {measures(), measures_of_some()}) {
    for (const Measure* measure : some) names.push_back(measure->name);
  }
  throw ConditionError(fmt::format("unknown measure '{}'{}", name, suggestion(name, names)));
}

const Measure& parse_compared(std::string_view name) {
  const Measure& measure = parse_measure(name);
  if (measure.better == Better::neither) {
    throw ConditionError(fmt::format(
        "{} is neither better nor worse for being more, and so cannot be held against a baseline",
        name));
  }
  return measure;
}

Share parse_share(std::string_view text) {
  const Quantity quantity = parse_quantity(text);
  if (quantity.unit == Unit::time || quantity.value < 0) {
    throw ConditionError(fmt::format("'{}' is not a share; write it as 0.05 or 5%", text));
  }
  if (quantity.value > 1) {
    throw ConditionError(fmt::format("'{}' is more than all of it{}", text, hint_of_percent));
  }
  return quantity.value;
}

OverRanks parse_over(std::string_view name) {
  for (const OverRanks over : over_ranks_choices) {
    if (name == name_of(over)) return over;
  }
  throw ConditionError("'" + std::string(name) + "' is none of all, worst and median");
}

GateScope parse_scope(std::string_view name) {
  std::vector<std::string_view> names;
  for (const GateScope scope : gate_scopes) {
    if (name == name_of(scope)) return scope;
    names.push_back(name_of(scope));
  }
  throw ConditionError(fmt::format("unknown scope '{}'{}", name, suggestion(name, names)));
}

std::string parse_allowance(std::string_view text) {
  if (std::find(allowances.begin(), allowances.end(), text) == allowances.end()) {
    throw ConditionError(
        fmt::format("there is no '{}' to allow{}", text, suggestion(text, allowances)));
  }
  return std::string(text);
}

Bound parse_bound(const Measure& measure, Sense sense, std::string_view value) {
  const Bound bound = {&measure, sense, parse_value(measure, value), {}};
  if (measure.unit == MeasureUnit::ratio && bound.value > measure.most) {
    throw ConditionError(
        fmt::format("{} is never more than {}, so that a {} of '{}' {}{}", measure.name,
                    measure.most, sense == Sense::at_least ? "minimum" : "maximum", value,
                    sense == Sense::at_least ? "cannot be met" : "is always met", hint_of_percent));
  }
  if (measure.unit == MeasureUnit::ns && bound.value > static_cast<double>(latest_time)) {
    throw ConditionError(fmt::format("'{}' is longer than any trace, so that a {} of it {}", value,
                                     sense == Sense::at_least ? "minimum" : "maximum",
                                     sense == Sense::at_least ? "cannot be met" : "is always met"));
  }
  if (measure.can_be_negative) return bound;
  if (sense == Sense::at_most && bound.value < 0) {
    throw ConditionError(fmt::format(
        "{} is never negative, so that a maximum of '{}' cannot be met", measure.name, value));
  }
  if (sense == Sense::at_least && bound.value <= 0) {
    throw ConditionError(fmt::format(
        "{} is never negative, so that a minimum of '{}' is always met", measure.name, value));
  }
  return bound;
}

Bound parse_bound(Sense sense, std::string_view text) {
  const auto value = value_of(text);
  if (!value) {
    throw ConditionError(
        fmt::format("'{}' has no bound; write MEASURE=VALUE, as copy_hidden=0.8", text));
  }
  return parse_bound(parse_measure(key_of(text)), sense, *value);
}

Ban parse_ban(std::string_view text) {
  const std::string_view code = key_of(text);
  const auto cause = cause_of_code(code);
  if (!cause) {
    std::vector<std::string_view> findable;
    for (const Fix* fix : fixes()) findable.push_back(code_of(fix->cause));
    for (const RunCause of_run : run_causes) findable.push_back(code_of(of_run));
    throw ConditionError(fmt::format("unknown cause '{}'{}", code, suggestion(code, findable)));
  }
  // A cause without a fix is never a finding. So a ban on it would always pass.
  if (fix_for(*cause) == nullptr) {
    throw ConditionError(
        fmt::format("'{}' has no fix and so is never a finding; bound idle_ratio instead", code));
  }
  const auto value = value_of(text);
  if (!value) return {*cause, std::nullopt, {}};
  return {*cause, parse_share(*value), {}};
}

void add_ban(Gate& gate, std::string_view text, const Place& place) {
  if (const auto of_run = run_cause_of_code(key_of(text))) {
    const auto value = value_of(text);
    gate.run_bans.push_back(
        {*of_run, value ? std::optional(parse_share(*value)) : std::nullopt, place});
    return;
  }
  gate.bans.push_back(parse_ban(text));
  gate.bans.back().place = place;
}

void add_tolerance(Tolerance& tolerance, std::string_view text) {
  const Quantity quantity = parse_quantity(text);
  if (quantity.value < 0) {
    throw ConditionError(fmt::format("a tolerance of '{}' is negative", text));
  }
  switch (quantity.unit) {
    case Unit::percent:
      if (quantity.value > 1) {
        throw ConditionError(fmt::format(
            "a tolerance of '{}' is more than all of the baseline's value, so that it allows "
            "nearly everything; write at most 100%",
            text));
      }
      tolerance.relative = std::max(tolerance.relative, quantity.value);
      return;
    case Unit::none:
      if (quantity.value >= 1) {
        throw ConditionError(fmt::format(
            "a tolerance of '{}' is as much as ratios differ, or more; 5 percent are 5%, which "
            "is of the baseline's value",
            text));
      }
      tolerance.ratio = std::max(tolerance.ratio, quantity.value);
      return;
    case Unit::time:
      if (quantity.value > most_ns) {
        throw ConditionError(fmt::format(
            "a tolerance of '{}' is more than a day, so that it allows everything; write a time "
            "that is short beside the run",
            text));
      }
      tolerance.ns = std::max(tolerance.ns, quantity.value);
      return;
  }
}

}  // namespace lapscope::analyzer
