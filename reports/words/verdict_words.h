#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/intervals/units.h"

namespace lapscope::reports {

// Why a verdict is unknown.
inline constexpr std::string_view unknown_reason =
    "causes of serialization were not analyzed for every device";

// How busy the device was and how much overlaps, as a sentence: from the durations of ops alone.
std::string overlap_sentence(const analyzer::ScopeResult& scope);

// Whether the model is good enough for its savings to be shown.
bool tells_savings(const analyzer::ScopeResult& scope);

// What a finding's fix saves, without a full stop; and as a sentence, with what it assumes.
std::string saving_sentence(const analyzer::FindingResult& finding,
                            const analyzer::ScopeResult& scope);
std::string prediction_sentence(const analyzer::FindingResult& finding,
                                const analyzer::ScopeResult& scope);

// What waited, and how that goes with what it saves: "24 ops waited 84.25 us; what comes after them
// could start earlier, too".
std::string waited_words(const analyzer::FindingResult& finding);

// The confidence in the figures, as sentences.
std::vector<std::string> trust_sentences(const analyzer::Report& report);

// A measure's value by its name; null when the scope lacks it.
const analyzer::Value* value_of(const analyzer::ScopeResult& scope, std::string_view measure);

// The value of a measure in ns, or 0 if it has no value.
analyzer::Ns ns_of(const analyzer::ScopeResult& scope, std::string_view measure);

// Whether it is worth showing: assumed::noteworthy of the whole.
bool is_noteworthy(std::int64_t part, std::int64_t all);

// The causes of the gaps as code and ns, most time first, the sum of the short ones among them;
// none where they were not looked for.
std::vector<std::pair<std::string, analyzer::Ns>> causes_of(const analyzer::GapsResult& gaps);

// The command that predicts a finding's fix, of the range if it is one's: printable, and as a shell
// takes it.
std::string whatif_command(const analyzer::Report& report, const analyzer::FindingResult& finding,
                           const analyzer::RangeResult* range);
// Its options that say what is evaluated, behind a space: " --range 'step *'", or nothing.
std::string scope_arguments(const analyzer::Report& report, const analyzer::RangeResult* range);

// A finding of a report and the scope it belongs to.
struct ShownFinding {
  const analyzer::DeviceResult* device = nullptr;
  const analyzer::FindingResult* finding = nullptr;
};

// Every finding, in the order in which a page shows and numbers them: device by device, what was
// asked for before the whole.
std::vector<ShownFinding> shown_findings(const analyzer::Report& report);

}  // namespace lapscope::reports
