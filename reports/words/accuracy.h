#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/findings/validity.h"
#include "analyzer/intervals/units.h"

namespace lapscope::reports {

// "8.189 to 10.098 ms"
std::string words_of(const analyzer::ErrorBand& band);

// What no evidence can exist for, if there is no band: for example, a faster engine.
std::string_view not_validated_for(const analyzer::Validity& validity);

// "measured", "upper bound" or "unknown"
std::string_view word_of(analyzer::Certainty certainty);

// "8.189 to 10.098 ms, measured", or "unknown for a faster engine" where there is no band.
std::string words_of(const analyzer::Validity& validity);

// Between what recorded programs like it lay, as parts of what was predicted of them.
std::string accuracy_clause(const analyzer::ErrorBand& band);
// Which these are: "host-sync", "fixes on the host".
std::string kind_of(const analyzer::Residuals& like);

// How often such bands were right.
std::string held_clause(const analyzer::ErrorBand& band);

// What must hold for a prediction to be the one at this end of what kernels share, or of what their
// last waves leave; of delays that nothing explains, at the end at which it takes less.
std::string_view condition_of(analyzer::Sharing end, analyzer::Doubt doubt);
// The same of the other end than the one at which it takes longer, as JSON has it.
std::string_view condition_code(const analyzer::Prediction& predicted);
// At the other end than the one at which it takes longer.
analyzer::Sharing shorter_end(const analyzer::Prediction& predicted);
// ", up to 4.600 ms if kernels beside each other do not slow each other down": how much more a fix
// saves of `wall_ns` then; "" where nothing noteworthy depends on that.
std::string range_clause(analyzer::Ns wall_ns, const analyzer::Prediction& predicted);

// Which assumptions stand in for what the trace has no examples of; requires one.
std::string assumed_sentence(const std::set<std::string_view>& assumed);

// The causes that are unknown because records are missing, and which records: a sentence for each
// set of these. Empty if all that matters is there.
std::vector<std::string> open_sentences(const analyzer::CausesResult& causes);

// By how much the model check is off where that is a reason to doubt what is predicted; else "".
std::string doubt_sentence(const analyzer::ScopeResult& scope);

// Whether the model accounts for a scope, called what `where` says: sentences about the replay of
// the unchanged run, and, if that is noteworthy, about time that is not explained.
std::vector<std::string> model_sentences(const std::string& where,
                                         const analyzer::CausesResult& causes);

// The same for ranges, which can be many: of more than a few the worst is named.
std::vector<std::string> model_sentences(const analyzer::DeviceResult& device);

}  // namespace lapscope::reports
