#pragma once

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/gate/judgement.h"
#include "analyzer/gate/remark.h"

// The texts that all renderers of a gate's result share. Pass all of them except figures through
// printable() before output.
namespace lapscope::reports {

struct PerOutcome {
  const char* passed;
  const char* waived;
  const char* failed;
  const char* inconclusive;

  const char* of(analyzer::Outcome outcome) const;
};

// Returns a ratio with three decimals, or a duration.
std::string figure_text(double value, analyzer::MeasureUnit unit);

// Returns the median of the runs: "0.621". If several runs visibly differ, adds their range: "0.621
// (0.598 to 0.640)".
std::string repeats_text(const analyzer::Repeats& repeats, analyzer::MeasureUnit unit);

// Returns repeats_text() of the value of a judgement. Returns "n/a" if the judgement has no value.
std::string value_text(const analyzer::Judgement& judgement);

// Returns the bound of a judgement, for example ">= 0.500" or "< 0.030"; "" if it has none.
std::string bound_text(const analyzer::Judgement& judgement);

// Returns the distance of the value from the bound: "+0.121". It is positive if the value passes.
// Returns "" if there is no distance.
std::string margin_text(const analyzer::Judgement& judgement);

// Returns printable sentences about the evaluated scopes, such as "Scope: the loop, 30 iterations
// of NVTX range 'step *' (--whole: the whole run)." Devices with the same scope share a sentence.
std::string scope_sentence(const analyzer::JudgedGate& gate);

// Returns the title of a judgement: its condition and its device, such as "min overlap_ratio of
// device 0".
std::string title_of(const analyzer::Judgement& judgement);

// Explains an outcome in sentences: "-0.029 is 0.529 below the bound of 0.500."
std::string sentence_of(const analyzer::Judgement& judgement);

struct ExplanationWords {
  std::string_view sentence;
  std::string_view fix;
};
ExplanationWords words_of(const analyzer::Explanation& explanation);

// Returns "CODE (62.1 %) at FILE:LINE in FUNCTION: SENTENCE FIX", without the place or the fix if
// there is none.
std::string sentence_of(const analyzer::Explanation& explanation);

// Writes the explanations of a gate from top to bottom. An explanation that occurs a second time
// becomes "default-stream-barrier: as above".
class ExplainedOnce {
 public:
  std::string sentence_of(const analyzer::Explanation& explanation);

 private:
  std::set<std::string> shown_;
};

// Returns how many checks had each outcome, such as "2 failed, 1 inconclusive, 3 passed".
std::string counts_text(const analyzer::OutcomeCounts& counts);

// Returns the name by which CI services group outcomes: "lapscope/min-overlap_ratio" for the
// condition "min overlap_ratio". For notes, `condition` is "note".
std::string check_name(std::string_view condition);

// Returns 16 hexadecimal digits that depend only on `parts`. CI services use these digits to
// distinguish new outcomes from known ones. `parts` must therefore not contain the measured value.
std::string fingerprint_of(std::initializer_list<std::string_view> parts);

// Returns the place that best explains an outcome, which is the first of these that exists:
// - the source line of an explanation, if the path of its file is relative
// - the condition in the gate file
// - the evaluated trace
analyzer::Place place_to_show(const analyzer::JudgedGate& gate,
                              const analyzer::Judgement& judgement);

// Returns the file to name in statements about the whole gate.
std::string file_to_show(const analyzer::JudgedGate& gate);

// Returns a remark as one or two sentences. Returns "" for an empty remark. Pass the result through
// printable() before it is shown.
std::string sentence_of(const analyzer::Remark& remark);

std::vector<std::string> sentences_of(const std::vector<analyzer::Remark>& remarks);

}  // namespace lapscope::reports
