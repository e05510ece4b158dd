#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/intervals/units.h"

namespace lapscope::reports {

// The reason why a verdict is unknown.
inline constexpr std::string_view unknown_reason =
    "causes of serialization were not analyzed for every device";

// States how busy the device was and how much its ops overlap. Needs only the durations of ops.
std::string overlap_sentence(const analyzer::ScopeResult& scope);

// Whether the model is accurate enough for its savings to be shown.
bool tells_savings(const analyzer::ReplayResult& replay);
bool tells_savings(const analyzer::ScopeResult& scope);

// Returns the saving of a fix at one call site. Empty if it is unknown.
std::string saving_at(const analyzer::CallSite& site, const analyzer::ScopeResult& scope);

// saving_sentence() states the saving of a finding's fix and the predicted wall time, without a
// full stop. prediction_sentence() adds the wall time without the fix, the predicted overlap ratio,
// and caveats.
std::string saving_sentence(const analyzer::FindingResult& finding,
                            const analyzer::ScopeResult& scope);
std::string prediction_sentence(const analyzer::FindingResult& finding,
                                const analyzer::ScopeResult& scope);

// States how long ops waited, and why the saving may be larger than this wait: "24 ops waited 84.25
// us; what comes after could start earlier, too".
std::string waited_words(const analyzer::FindingResult& finding);

// Returns sentences about how far the figures of a report can be trusted.
std::vector<std::string> trust_sentences(const analyzer::Report& report);

// Returns the value of a measure by its name. Null if the scope does not have the measure.
const analyzer::Value* value_of(const analyzer::ScopeResult& scope, std::string_view measure);

// Returns the value of a measure in ns. Returns 0 if the measure has no value.
analyzer::Ns ns_of(const analyzer::ScopeResult& scope, std::string_view measure);

// Whether `part` is a noteworthy share of `all`: at least assumed::noteworthy.
bool is_noteworthy(std::int64_t part, std::int64_t all);

// Returns the causes of the gaps with their times in ns, the largest time first. All short gaps are
// one entry. Empty if gaps were not analyzed.
std::vector<std::pair<std::string, analyzer::Ns>> causes_of(const analyzer::GapsResult& gaps);

// Returns the shell command that predicts a finding's fix, printable. `range` is the finding's
// scope, or null for a whole device.
std::string whatif_command(const analyzer::Report& report, const analyzer::FindingResult& finding,
                           const analyzer::RangeResult* range);

// A finding of a report and the device it belongs to.
struct ShownFinding {
  const analyzer::DeviceResult* device = nullptr;
  const analyzer::FindingResult* finding = nullptr;
};

// Returns all findings in the order of their numbers on a page. Devices come one after the other.
// The ranges of a device come before the whole device.
std::vector<ShownFinding> shown_findings(const analyzer::Report& report);

// Returns the verdict on a device or a range in a sentence with one figure. It states the possible
// saving and its cause. If the saving is unknown, it states the reason. If there is no saving, it
// states the run's bound.
std::string headline(const analyzer::DeviceResult& device);
std::string headline(const analyzer::RangeResult& range);

// Returns the verdict in a few words for a table: "host-sync 65.4 %", "ok, compute busy 98.7 %".
std::string short_verdict(const analyzer::ScopeResult& scope);

}  // namespace lapscope::reports
