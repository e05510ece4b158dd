#pragma once

#include <string>
#include <string_view>

#include "analyzer/findings/causes_result.h"

// What a finding says. Names in it are as they are in the trace: who shows them escapes them.
namespace lapscope::reports {

// What is the matter, for a headline: a clause. And of a wait by its code alone.
std::string_view clause_of(const analyzer::FindingResult& finding);
std::string_view clause_of(std::string_view code);

// Why ops were held up: a sentence.
std::string explanation_of(const analyzer::FindingResult& finding);

// What to do, in CUDA's terms: sentences, of which the first fits on a line of the first screen.
std::string fix_of(const analyzer::FindingResult& finding);

// How far the prediction can be trusted: a sentence; may be empty.
std::string_view caveat_of(const analyzer::FindingResult& finding);

}  // namespace lapscope::reports
