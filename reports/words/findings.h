#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/findings/causes_result.h"

// What a finding says. Names in it are as they are in the trace: who shows them escapes them.
namespace lapscope::reports {

// What is the matter, for a headline: a clause. And of a wait by its code alone.
std::string clause_of(const analyzer::FindingResult& finding);
std::string_view clause_of(std::string_view code);

// Why ops were delayed: a sentence.
std::string explanation_of(const analyzer::FindingResult& finding);

// What to do, in CUDA's terms: sentences, the first of which fits on a line of the first screen.
std::string fix_of(const analyzer::FindingResult& finding);

// What to do, the fitting first and then what else does it: in the words of the framework where
// call sites show one and what to type, and otherwise the first sentence of fix_of() and those that
// begin with "Or".
struct Fixes {
  struct One {
    std::string text;
    std::string line;  // as train.py:31; empty where it is not known
  };
  std::vector<One> all;
  bool in_words_of_framework = false;
};
Fixes fixes_of(const analyzer::FindingResult& finding);
// All of them in one text, and fix_of() behind those of a framework.
std::string all_fixes_of(const analyzer::FindingResult& finding);

// How far the prediction can be trusted: a sentence; may be empty.
std::string_view caveat_of(const analyzer::FindingResult& finding);

}  // namespace lapscope::reports
