#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/findings/validity.h"
#include "analyzer/intervals/units.h"

namespace lapscope::reports {

// Returns the limits of a band, such as "8.19 to 10.10 ms".
std::string words_of(const analyzer::ErrorBand& band);

// Returns the kind of prediction that no recorded program can confirm, such as "a faster engine".
// Requires that `validity` has no band.
std::string_view not_validated_for(const analyzer::Validity& validity);

// Returns "measured", "upper bound" or "unknown".
std::string_view word_of(analyzer::Certainty certainty);

// Returns "8.19 to 10.10 ms, measured", or "unknown for a faster engine" if there is no band.
std::string words_of(const analyzer::Validity& validity);

// Returns how far measured times were from similar predictions: "-12 to +8 % for host-sync (23
// recorded programs, median error 2.1 %)".
std::string accuracy_clause(const analyzer::ErrorBand& band);
// Returns the kind of predictions that a group has: "host-sync", "fixes on the host".
std::string kind_of(const analyzer::Residuals& like);

// States how often similar bands contained the actual time.
std::string held_clause(const analyzer::ErrorBand& band);

// A prediction can have two ends: a longer and a shorter predicted time (analyzer::Prediction).
// Returns the condition under which one end is correct, such as "kernels beside each other do not
// slow each other down". For Doubt::sharing and Doubt::last_wave, `end` selects the end. For other
// doubts, returns the condition of the shorter end.
std::string_view condition_of(analyzer::Sharing end, analyzer::Doubt doubt);
// Returns the condition under which the shorter end is correct, as a code for JSON.
std::string_view condition_code(const analyzer::Prediction& predicted);
analyzer::Sharing shorter_end(const analyzer::Prediction& predicted);
// Returns ", up to 4.60 ms if kernels beside each other do not slow each other down". The time is
// `wall_ns` minus the shorter predicted time. Returns "" if there is only one prediction, or if the
// shorter predicted time saves nothing.
std::string range_clause(analyzer::Ns wall_ns, const analyzer::Prediction& predicted);

// Names the assumptions for which the trace has no measurements. Requires at least one assumption.
std::string assumed_sentence(const std::set<std::string_view>& assumed);

// Returns a sentence for each set of missing records, with the causes that are therefore unknown.
// Empty if all causes are known.
std::vector<std::string> open_sentences(const analyzer::CausesResult& causes);

// Returns a sentence about the error of the model check; "" if it is small.
std::string doubt_sentence(const analyzer::ScopeResult& scope);

// Returns sentences about the model of the scope `where`: the share of unexplained time, if it is
// large, the result of the model check, and whether the model does not account for the scope.
std::vector<std::string> model_sentences(const std::string& where,
                                         const analyzer::CausesResult& causes);

// Returns the model_sentences() and open_sentences() of a device and its ranges. If there are more
// than a few ranges, the sentences about the model name only two of them: the range with the
// largest error, and the range with the most unexplained time.
std::vector<std::string> model_sentences(const analyzer::DeviceResult& device);

}  // namespace lapscope::reports
