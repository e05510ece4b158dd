#pragma once

#include <vector>

#include "analyzer/findings/error_band.h"
#include "tests/analyzer/findings/accuracy_rows.h"

// What recorded pairs say of predictions like them. Pairs that are kept aside say nothing of
// others: theirs are computed last.
namespace lapscope::test {

// Of new pairs, so many are to be in the band.
inline constexpr double goal = 0.9;

// Whether a pair is of one fix as it is, and the trace leaves nothing in doubt.
bool is_plain(const AccuracyPair& pair);

// What lapscope is to know: the errors of plain pairs, by the class of the fix. The band of a class
// is as wide as the pairs need of which the goal is taken, counting one more that is worse than
// all: `goal` of new pairs like them are within. Of fewer than nine pairs no band is. A fix has a
// band if `least_cases` cases of its own are among them: two, so that one is left where the other
// is the new one.
analyzer::RecordedAccuracy evidence_of(const std::vector<AccuracyPair>& pairs, int least_cases = 2);

// Whether one pair's prediction has a band, and whether that is right.
struct BandCheck {
  bool is_printed = false;
  bool held = false;
};
BandCheck check_band(const AccuracyPair& pair, const analyzer::RecordedAccuracy& known);

// The same by what all other cases say.
BandCheck check_left_out(const AccuracyPair& pair, const std::vector<AccuracyPair>& pairs);

analyzer::KeptAside check_kept_aside(const std::vector<AccuracyPair>& pairs);

}  // namespace lapscope::test
