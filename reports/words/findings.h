#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/findings/causes_result.h"
#include "analyzer/model/cause.h"
#include "analyzer/model/ops.h"

// The text of a finding. Names are not escaped; the caller escapes them.
namespace lapscope::reports {

// Returns a clause for a headline: the problem of a finding, or the kind of wait that `code` names.
std::string clause_of(const analyzer::FindingResult& finding);
// Returns the function with most of the host work that the finding is about. Empty if samples do
// not show it.
std::string function_of(const analyzer::FindingResult& finding);
std::string_view clause_of(std::string_view code);

// Returns a sentence about why ops were delayed.
std::string explanation_of(const analyzer::FindingResult& finding);

// Returns what to do, in CUDA's terms. The first sentence fits on one line of the first screen.
std::string fix_of(const analyzer::FindingResult& finding);

// The most suitable fix, then alternatives. They depend on what the finding has:
// - samples that name the host's work: the fix for this work
// - call sites that show a framework: the fix in this framework
// - neither: the first sentence of fix_of(), and its sentences that begin with "Or"
struct Fixes {
  struct One {
    std::string text;
    std::string line;  // such as train.py:31; empty if unknown
  };
  std::vector<One> all;
  bool in_words_of_framework = false;
};
Fixes fixes_of(const analyzer::FindingResult& finding);
// Returns all fixes in one text. The text depends on what the finding has:
// - samples that name the host's work: fixes_of()
// - call sites that show a framework: fixes_of(), and then fix_of()
// - neither: fix_of()
std::string all_fixes_of(const analyzer::FindingResult& finding);

// Returns a sentence about how far to trust the prediction. May be empty.
std::string_view caveat_of(const analyzer::FindingResult& finding);

// Returns what the fix of a cause changes in a program: "launches return at once". Empty if the
// cause has no fix.
std::string_view change_of(analyzer::Cause cause);

// Explains the number that may follow the fix's code after a colon. Empty if no number may follow.
std::string_view number_of(analyzer::Cause cause);

// Explains why the saving by page-locked memory is unknown: the trace does not show how fast
// `engine` copies page-locked memory.
std::string unknown_rate_sentences(std::string_view engine);

// Returns sentences that state an observation and advice. Names are not escaped. `causes` is the
// result that contains the advice.
std::string sentences_of(const analyzer::Advice& advice, const analyzer::CausesResult& causes);

// A step to take, in the terms of a framework, and the source line to change.
struct FrameworkAdvice {
  std::string_view code;  // stable
  std::string_view text;  // a sentence or two
  std::string line;       // such as train.py:31; empty if unknown

  friend bool operator==(const FrameworkAdvice&, const FrameworkAdvice&) = default;
};

// Returns the advice for a finding's call sites, the most suitable first. Empty if the call sites
// show no framework, or if no specific step applies.
std::vector<FrameworkAdvice> framework_advice(const analyzer::FindingResult& finding);

// Returns all codes in the table of advice. Several rows, for different causes, may have the same
// code.
std::vector<std::string_view> framework_advice_codes();

}  // namespace lapscope::reports
