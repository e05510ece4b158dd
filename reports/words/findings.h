#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/findings/causes_result.h"

// The text of a finding. Names are not escaped; the caller escapes them.
namespace lapscope::reports {

// Returns a clause for a headline: the problem of a finding, or the kind of wait that `code` names.
std::string clause_of(const analyzer::FindingResult& finding);
std::string_view clause_of(std::string_view code);

// Returns a sentence about why ops were delayed.
std::string explanation_of(const analyzer::FindingResult& finding);

// Returns what to do, in CUDA's terms. The first sentence fits on one line of the first screen.
std::string fix_of(const analyzer::FindingResult& finding);

// The most suitable fix, followed by alternatives. There are three sources of fixes:
// - samples that name the host's work
// - call sites that show a framework for which a fix is known
// - if the sources above have no fix: the first sentence of fix_of(), and its sentences that begin
//   with "Or"
struct Fixes {
  struct One {
    std::string text;
    std::string line;  // such as train.py:31; empty if unknown
  };
  std::vector<One> all;
  bool in_words_of_framework = false;
};
Fixes fixes_of(const analyzer::FindingResult& finding);
// Returns all fixes in one text. If there are fixes in a framework's words, appends fix_of(),
// unless samples name the host's work.
std::string all_fixes_of(const analyzer::FindingResult& finding);

// Returns a sentence about how far to trust the prediction. May be empty.
std::string_view caveat_of(const analyzer::FindingResult& finding);

}  // namespace lapscope::reports
