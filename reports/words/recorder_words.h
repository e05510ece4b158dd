#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/report.h"

// What causes of a scope rest on: all of it or a sample, and what was made of the time that
// recording added.
namespace lapscope::reports {

// The wall that causes and savings refer to, if it is not read as the recorded one; else "".
std::string wall_sentence(const analyzer::ScopeResult& scope);

// The same for a screen: the wall, the sample, and what recording adds if that is not known. A text
// each.
std::vector<std::string> screen_basis(const analyzer::ScopeResult& scope);

// The sample that its causes come from, if they come from one. The time of the scope as recorded,
// without the recorder's own time, and bare if there are bare runs; and what came first because of
// it. If it is not known what recording adds, states that it is much. Empty if none of these
// applies. `bare` may be null.
std::string basis_sentences(const analyzer::ScopeResult& scope,
                            const analyzer::BareWall* bare = nullptr);

// "recording adds about 34 %, by what calls cost elsewhere", and what measures it.
std::string estimate_of(double added);
inline constexpr std::string_view how_to_know = "`lapscope record --bare 3` measures it.";

// Why an answer is unknown that depends on what recording adds, and what would settle it: an end of
// a sentence.
std::string recorder_decides(const analyzer::CausesResult& causes);

// What recording adds to the time of a range: "Recorded 9.200 ms, bare 7.700 ms (median of 5,
// 7.600 ms to 7.800 ms): recording adds 19 %."
std::string bare_sentences(const analyzer::BareWall& bare);

}  // namespace lapscope::reports
