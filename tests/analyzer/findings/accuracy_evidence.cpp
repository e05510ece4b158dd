#include "tests/analyzer/findings/accuracy_evidence.h"

#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

namespace lapscope::test {
namespace {

using analyzer::FixClass;

constexpr double parts = 10'000;
double rounded_up(double share) { return std::ceil(share * parts) / parts; }
double rounded_down(double share) { return std::floor(share * parts) / parts; }

bool is_evidence(const AccuracyPair& pair) { return !pair.is_kept_aside && is_plain(pair); }

// Nothing where `goal` of new ones may be worse than all of these.
double band_of(std::vector<double> errors) {
  for (double& error : errors) error = std::abs(error);
  std::sort(errors.begin(), errors.end());
  const double rank = std::ceil(goal * static_cast<double>(errors.size() + 1));
  return rank <= static_cast<double>(errors.size()) ? errors[static_cast<std::size_t>(rank) - 1]
                                                    : 0;
}

analyzer::ClassErrors errors_of_class(const std::vector<AccuracyPair>& pairs) {
  if (pairs.empty()) return {};
  const std::vector<double> errors = errors_of(pairs, &AccuracyPair::miss);
  analyzer::ClassErrors known;
  known.pairs = static_cast<int>(pairs.size());
  known.median_error = rounded_up(median_of(errors));
  known.error = rounded_up(band_of(errors));
  known.least_busy = 1;
  for (const AccuracyPair& pair : pairs) {
    known.least_busy = std::min(known.least_busy, rounded_down(pair.prediction.busy_share));
  }
  return known;
}

}  // namespace

bool is_plain(const AccuracyPair& pair) {
  const analyzer::Changed& changed = pair.prediction.changed;
  return !changed.special && changed.fixes.size() == 1 &&
         !analyzer::is_in_doubt(pair.prediction, pair.replay.wall_ns);
}

analyzer::RecordedAccuracy evidence_of(const std::vector<AccuracyPair>& pairs, int least_cases) {
  std::map<FixClass, std::vector<AccuracyPair>> of_class;
  std::map<analyzer::Cause, std::set<std::string>> cases;
  // One prediction may be held against two programs: it counts once, for the first.
  std::set<std::tuple<std::string, std::string, std::vector<std::string>>> counted;
  for (const AccuracyPair& pair : pairs) {
    if (!is_evidence(pair) || !counted.insert({pair.name, pair.variant, pair.fixes}).second) {
      continue;
    }
    const analyzer::Cause fix = pair.prediction.changed.fixes.front();
    of_class[analyzer::class_of(fix)].push_back(pair);
    cases[fix].insert(pair.name);
  }
  analyzer::RecordedAccuracy known;
  known.host = errors_of_class(of_class[FixClass::host]);
  known.device = errors_of_class(of_class[FixClass::device]);
  auto code = known.codes.begin();
  for (const auto& [fix, names] : cases) {
    const bool has_band = known.of(analyzer::class_of(fix)).error > 0;
    if (has_band && static_cast<int>(names.size()) >= least_cases) *code++ = code_of(fix);
  }
  return known;
}

BandCheck check_band(const AccuracyPair& pair, const analyzer::RecordedAccuracy& known) {
  const auto band = analyzer::validity_of(pair.prediction, pair.replay, known).band;
  if (!band) return {};
  const std::int64_t measured = std::llround(pair.put_right_ms * 1e6);
  return {true, band->low_ns <= measured && measured <= band->high_ns};
}

BandCheck check_left_out(const AccuracyPair& pair, const std::vector<AccuracyPair>& pairs) {
  std::vector<AccuracyPair> others;
  std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(others),
               [&pair](const AccuracyPair& other) { return other.name != pair.name; });
  return check_band(pair, evidence_of(others, 1));
}

analyzer::KeptAside check_kept_aside(const std::vector<AccuracyPair>& pairs) {
  const analyzer::RecordedAccuracy known = evidence_of(pairs);
  analyzer::KeptAside result;
  for (const AccuracyPair& pair : pairs) {
    if (!pair.is_kept_aside) continue;
    const BandCheck check = check_band(pair, known);
    result.bands += check.is_printed;
    result.held += check.held;
  }
  return result;
}

}  // namespace lapscope::test
