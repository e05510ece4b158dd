#pragma once

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>

#include "analyzer/gate/judgement.h"

// What all renderings of a judgement say in the same words. Nothing here is printable() yet except
// figures.
namespace lapscope::reports {

// A ratio with three decimals, or a duration.
std::string figure_text(double value, analyzer::MeasureUnit unit);

// "0.621", or "0.621 (0.598 to 0.640)" where several runs differ as far as is shown.
std::string repeats_text(const analyzer::Repeats& repeats, analyzer::MeasureUnit unit);

// The same for the value of a judgement, or "n/a".
std::string value_text(const analyzer::Judgement& judgement);

// ">= 0.500", "< 0.030" if the bound itself is no pass; "" if there is no bound.
std::string bound_text(const analyzer::Judgement& judgement);

// "+0.121": towards the good side; "" if there is no margin.
std::string margin_text(const analyzer::Judgement& judgement);

// "Scope: the loop, 30 iterations of NVTX range 'step *' (--whole: the whole run).": of each device
// where they differ; printable.
std::string scope_sentence(const analyzer::JudgedGate& gate);

// "min overlap_ratio of device 0"
std::string title_of(const analyzer::Judgement& judgement);

// What came out, in sentences, as "-0.029 is 0.529 below the bound of 0.500."
std::string sentence_of(const analyzer::Judgement& judgement);

// What an explanation says, and what to do about it; empty if no explanation was looked for.
struct ExplanationWords {
  std::string_view sentence;
  std::string_view fix;
};
ExplanationWords words_of(const analyzer::Explanation& explanation);

// "default-stream-barrier (62.1 %): …"; with the fix, if there is one.
std::string sentence_of(const analyzer::Explanation& explanation);

// The explanations of a gate as they are read from top to bottom: each in full the first time, and
// then as a reference.
class ExplainedOnce {
 public:
  std::string sentence_of(const analyzer::Explanation& explanation);

 private:
  std::set<std::string> shown_;
};

// "2 failed, 1 inconclusive, 3 passed"
std::string counts_text(const analyzer::OutcomeCounts& counts);

// "lapscope/min-overlap_ratio": what services group outcomes by; of "note", those that are notes.
std::string check_name(std::string_view condition);

// The same of the same parts, so that services know a new outcome from an old one: 16 hexadecimal
// digits. The value is no part of it.
std::string fingerprint_of(std::initializer_list<std::string_view> parts);

// Where to send a reader: the line of the source that most explains the outcome, if it is known and
// may be in the repository; else the condition in the gate file, or else the trace that was
// evaluated.
analyzer::Place place_to_show(const analyzer::JudgedGate& gate,
                              const analyzer::Judgement& judgement);

// The same for what is said of the gate as a whole.
std::string file_to_show(const analyzer::JudgedGate& gate);

}  // namespace lapscope::reports
