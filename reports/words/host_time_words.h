#pragma once

#include <string>
#include <string_view>

#include "analyzer/analysis/report.h"
#include "analyzer/analysis/timeline.h"
#include "reports/words/word_tables.h"

// What is said of what the host did between its calls. Names are as they are in the trace.
namespace lapscope::reports {

// For example "data loading".
std::string_view words_of(analyzer::HostKind kind);
// For example "waits for a lock".
std::string_view words_of(analyzer::ThreadState state);

// For example "data.py:27 ← main"; empty if neither is known.
std::string line_of(const analyzer::TimelineHostWork& work);
// For example "data.py:27 ← main, the program's own code, runs".
std::string words_of(const analyzer::TimelineHostWork& work);

// For example "Images.__getitem__ at data.py:27"; empty if nothing is known.
std::string place_words(const analyzer::HostFunction& function);

// What most of it is, as: the thread that issues the work makes the batches: Images.__getitem__ at
// data.py:27, 111.20 of 148.30 ms of host code an iteration
std::string words_of(const analyzer::HostWork& work);

// Why the GPU waits, for a headline, as: the thread that issues the work makes the batches,
// Images.__getitem__ at data.py:27
std::string clause_of(const analyzer::HostWork& work);

// The same with its share, as: data loading 75 %: Images.__getitem__ at data.py:27,
// 111.20 ms/iteration
std::string short_words_of(const analyzer::HostWork& work);

// What to do about that: sentences, the first of which fits on a line of the first screen; empty if
// it is the program's own code.
std::string_view fix_of(const analyzer::HostWork& work);

// Functions of all threads, at most `most`; no rows if nothing was sampled.
WordTable host_time_table(const analyzer::ScopeResult& scope, std::size_t most);

// How often Python collected garbage; empty where it did not, or that is not known.
std::string words_of(const std::vector<analyzer::HostCollections>& collections);

// How long threads were ready and had no processor, where that is a large part; else empty.
std::string waiting_for_processor(const analyzer::HostActivity& time);

}  // namespace lapscope::reports
