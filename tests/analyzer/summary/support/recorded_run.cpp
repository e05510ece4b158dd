#include "tests/analyzer/summary/support/recorded_run.h"
#include "reports/words/summary_words.h"

#include "analyzer/summary/summary.h"
#include "readers/read_trace.h"

namespace lapscope::test {

analyzer::Report recorded_report(const std::string& name, analyzer::AnalyzeOptions options) {
  options = analyzer::for_summary(std::move(options));
  const std::string file = name + ".sqlite";
  analyzer::Report report =
      analyzer::analyze(analyzer::read_trace(LAPSCOPE_TEST_TRACES "/" + file), options);
  report.trace.file = file;  // path relative to the folder of traces
  return report;
}

analyzer::RunSummary recorded_run(const std::string& name,
                                  const analyzer::AnalyzeOptions& options) {
  return analyzer::summarize(recorded_report(name, options), options, reports::wording);
}

}  // namespace lapscope::test
