#pragma once

#include <string>
#include <vector>

#include "analyzer/analysis/analyze.h"
#include "analyzer/analysis/report.h"

namespace lapscope::test {

// Analyzes a trace of tests/traces, with a timeline. The report has the file name without a folder.
analyzer::Report recorded_report(const std::string& name);
// Analyzes a recorded trace with these options.
analyzer::Report recorded_report(const std::string& name, analyzer::AnalyzeOptions options);

// Returns the sorted names of all traces in tests/traces.
std::vector<std::string> recorded_traces();

// Returns the report of stream_pipeline-default-stream with invented findings, blame and replay.
analyzer::Report report_with_findings();
// Returns the same report with these options and a timeline.
analyzer::Report report_with_findings(analyzer::AnalyzeOptions options);

// Returns an invented report with everything that a report can contain: the contents of
// report_with_findings(), a range and a steady state with their own causes, issuers, bare runs, a
// correction, a sample, a series, collectives, and defects of the recording.
analyzer::Report report_with_everything();

// Returns an invented report without findings. The busiest engine is busy for 92 % of the time.
analyzer::Report report_bound_by_engine();

// Returns a report with hostile texts: markup, escapes, control characters, invalid UTF-8 and
// direction marks. One name has 10 kB.
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
