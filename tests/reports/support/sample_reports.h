#pragma once

#include <string>
#include <vector>

#include "analyzer/analysis/analyze.h"
#include "analyzer/analysis/report.h"

namespace lapscope::test {

// A recorded trace of tests/traces by its name, analyzed, with a timeline; its file is named as
// seen from its folder.
analyzer::Report recorded_report(const std::string& name);
// The same with what the options ask for.
analyzer::Report recorded_report(const std::string& name, analyzer::AnalyzeOptions options);

// The names of all traces in tests/traces, in order.
std::vector<std::string> recorded_traces();

// stream_pipeline-default-stream with two findings, blame and a replay. They are made up, to show
// what renderings make of them; what is true of the trace they need not be.
analyzer::Report report_with_findings();
// The same, analyzed as the options ask; with a timeline.
analyzer::Report report_with_findings(analyzer::AnalyzeOptions options);

// The same and more, so that there is some of everything that a report may have: a range and a
// steady state with causes of their own, what was issued by whom, bare runs, a correction, a
// sample, a series, collectives, and defects of the recording. No sentence of it is the analyzer's.
analyzer::Report report_with_everything();

// As report_with_findings, without anything to find: an engine is the bound.
analyzer::Report report_bound_by_engine();

// Every text of it is hostile: markup, escapes, control characters, bytes that are not UTF-8, marks
// of direction, and a name of 10 kB.
analyzer::Report hostile_report();
inline const std::vector<std::string> hostile_texts = {
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\x1b[2J\x1b]0;owned\x07 \xc2\x9b"
    "1m",
    "\xff\xfe\xc3(",
    "a\u202e\u2066txt.exe",
    "| a | b |\n\n# head `code` </details> [x](javascript:alert(1)) ![y](http://h/)",
    "--> ]]> \u2028 \\u003c ${1} {{2}}",
};

}  // namespace lapscope::test
