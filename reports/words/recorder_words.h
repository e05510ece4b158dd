#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/report.h"

// States the basis of a scope's causes: whether they come from a sample of the scope, and how
// lapscope treated the time that recording added.
namespace lapscope::reports {

// States the wall time to which savings refer. Returns "" if this time and the recorded wall time
// are nearly equal.
std::string wall_sentence(const analyzer::ScopeResult& scope);
// Does the same for two given times. `kind` describes `wall`, such as "recorded".
std::string wall_sentence(analyzer::Ns replayed, analyzer::Ns wall, std::string_view kind);

// Returns the basis of a scope's causes for a screen: texts about the wall time, the sample, and an
// estimate of the time that recording added. Corrected times have no estimate.
std::vector<std::string> screen_basis(const analyzer::ScopeResult& scope);

// Returns the full basis of a scope's causes: sentences about the sample, about the wall time to
// which savings refer, and about the recorder's own time. Returns "" if there is nothing to say.
// `bare` may be null.
std::string basis_sentences(const analyzer::ScopeResult& scope,
                            const analyzer::BareWall* bare = nullptr);

// Returns "recording adds about 34 %, by call costs of other machines" for 0.34. how_to_know names
// the command that measures the added time.
std::string estimate_of(double added);
inline constexpr std::string_view how_to_know = "`lapscope record --bare 3` measures it.";

// If an answer is unknown because of the recorder's own time, returns the end of a sentence about
// this answer: the reason, and what to do.
std::string recorder_decides(const analyzer::CausesResult& causes);

// States how much recording adds to a range: "Recorded 9.20 ms, bare 7.70 ms (median of 5, 7.60 ms
// to 7.80 ms): recording adds 19 %."
std::string bare_sentences(const analyzer::BareWall& bare);

}  // namespace lapscope::reports
