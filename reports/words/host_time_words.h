#pragma once

#include <string>
#include <string_view>

#include "analyzer/analysis/report.h"
#include "analyzer/analysis/timeline.h"
#include "reports/words/word_tables.h"

// Describes what the host did between its calls. Names are not escaped.
namespace lapscope::reports {

// Returns the name of a kind of host work, such as "data loading".
std::string_view words_of(analyzer::HostKind kind);
// Returns what a thread in this state does, such as "waits for a lock".
std::string_view words_of(analyzer::ThreadState state);

// Returns the source line of the work and its caller: "data.py:27 ← main". Empty if both are
// unknown.
std::string line_of(const analyzer::TimelineHostWork& work);
// Returns the same as line_of(), then the kind of work and the state of the thread: "data.py:27 ←
// main, the program's own code, runs".
std::string words_of(const analyzer::TimelineHostWork& work);

// Describes the largest part of the host's work: "the thread that issues the work makes the
// batches: Images.__getitem__ at data.py:27, 111.20 ms of 148.30 ms of host code an iteration".
std::string words_of(const analyzer::HostWork& work);

// Returns a clause for a headline about why the GPU waits, for example "the thread that issues the
// work makes the batches, Images.__getitem__ at data.py:27".
std::string clause_of(const analyzer::HostWork& work);

// Returns the function with most of the work that a finding is about, for example
// "Images.__getitem__ at data.py:27". Empty if it is not known.
std::string function_of(const analyzer::HostWork& work);

// Returns the largest part of the host's work with its share, for example "data loading 75 %:
// Images.__getitem__ at data.py:27, 111.20 ms/iteration".
std::string short_words_of(const analyzer::HostWork& work);

// Returns what to do about the largest part of the host's work. The first sentence fits on one line
// of the first screen. Empty if the host runs the program's own code.
std::string_view fix_of(const analyzer::HostWork& work);

// Returns a table with at most `most` functions of each thread. One row has all other functions of
// the thread. No rows if nothing was sampled.
WordTable host_time_table(const analyzer::ScopeResult& scope, std::size_t most);

// States how often Python collected garbage; empty if it did not, or if that is unknown.
std::string words_of(const std::vector<analyzer::HostCollections>& collections);

// States how long threads were ready but had no processor; empty below 5 % of the threads' time.
std::string waiting_for_processor(const analyzer::HostActivity& time);

}  // namespace lapscope::reports
