#include "analyzer/gate/compare.h"

namespace lapscope::analyzer {

Figures figures_of(const Measure& measure, std::span<const ScopeSummary* const> scopes, Runs runs) {
  std::vector<double> values;
  for (std::size_t run = 0; run < scopes.size(); ++run) {
    const std::string& source = runs[run].source();
    if (scopes[run] == nullptr) return {std::nullopt, {RemarkKind::no_such_work, {source}}};
    const MeasureSummary* entry = find(*scopes[run], measure);
    if (entry == nullptr && &measure == &bare_wall) {
      return {std::nullopt, {RemarkKind::no_bare_runs, {source}}};
    }
    if (entry == nullptr && &measure == &corrected_wall) {
      return {std::nullopt, {RemarkKind::not_calibrated, {source}}};
    }
    const std::string name(measure.name);
    if (entry == nullptr && name.starts_with("host_")) {
      return {std::nullopt, {RemarkKind::no_host_samples, {source}}};
    }
    if (entry == nullptr) return {std::nullopt, {RemarkKind::no_measure, {source, name}}};
    if (!entry->value) {
      return {std::nullopt, {RemarkKind::undefined, {name, source, entry->reason}}};
    }
    values.push_back(*entry->value);
  }
  return {repeats_of(std::move(values)), {}};
}

Outcome outcome_of(const Repeats& value, const Limit& limit, Sense sense) {
  if (sense == Sense::at_least) {
    if (value.low >= limit.high) return Outcome::passed;
    return value.high < limit.low ? Outcome::failed : Outcome::inconclusive;
  }
  if (value.high <= limit.low) return Outcome::passed;
  return value.low > limit.high ? Outcome::failed : Outcome::inconclusive;
}

void compare(Judgement& judgement, const Repeats& value, const Limit& limit) {
  judgement.value = value;
  judgement.bound = limit.middle;
  judgement.margin = judgement.sense == Sense::at_least ? value.median - limit.middle
                                                        : limit.middle - value.median;
  judgement.outcome = outcome_of(value, limit, judgement.sense);
  if (judgement.outcome != Outcome::inconclusive) return;
  judgement.reason = {RemarkKind::spreads_meet};
  if (limit.low == limit.high) {
    judgement.reason = {RemarkKind::bound_in_spread, {static_cast<std::int64_t>(value.count)}};
  }
}

}  // namespace lapscope::analyzer
