#include "analyzer/gate/compare.h"

#include <fmt/format.h>

namespace lapscope::analyzer {

Figures figures_of(const Measure& measure, std::span<const ScopeSummary* const> scopes, Runs runs) {
  std::vector<double> values;
  for (std::size_t run = 0; run < scopes.size(); ++run) {
    if (scopes[run] == nullptr) {
      return {std::nullopt, fmt::format("'{}' has no such work.", runs[run].source())};
    }
    const MeasureSummary* entry = find(*scopes[run], measure);
    if (entry == nullptr && &measure == &bare_wall) {
      return {std::nullopt, fmt::format("'{}' has no bare runs of it; record with --bare 3, and "
                                        "evaluate an NVTX range (--range).",
                                        runs[run].source())};
    }
    if (entry == nullptr && &measure == &corrected_wall) {
      return {std::nullopt,
              fmt::format("Nobody knows what recording adds to '{}'; run `lapscope doctor "
                          "--calibrate`, and record again.",
                          runs[run].source())};
    }
    if (entry == nullptr) {
      return {std::nullopt, fmt::format("'{}' lacks {}; make the summary again.",
                                        runs[run].source(), measure.name)};
    }
    if (!entry->value) {
      return {std::nullopt, fmt::format("{} is not defined in '{}': {}.", measure.name,
                                        runs[run].source(), entry->reason)};
    }
    values.push_back(*entry->value);
  }
  return {repeats_of(std::move(values)), ""};
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
  judgement.reason =
      limit.low == limit.high
          ? fmt::format(
                "The bound lies inside the spread of the {} repeats; record more of them, "
                "or move it.",
                value.count)
          : "The spreads of the repeats and of the baseline's meet; record more of them, or allow "
            "a "
            "larger tolerance.";
}

}  // namespace lapscope::analyzer
