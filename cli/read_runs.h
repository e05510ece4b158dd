#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/analyze.h"
#include "analyzer/summary/summary.h"
#include "reports/ranks/render_ranks.h"

namespace lapscope::cli {

// Whether a file is a summary: both summaries and traces of some formats are JSON.
bool is_summary(const std::string& file);

struct RankedRun {
  reports::RunReport run;
  std::vector<analyzer::RunSummary> ranks;  // summarize_ranks() of it
};

// Reads traces and summaries alike, each file once.
class RunReader {
 public:
  // What is to be known of traces; summaries hold what they were made with.
  explicit RunReader(analyzer::AnalyzeOptions options);

  // Announces files that will be read, so that progress covers all of them.
  void expect(const std::vector<std::string>& files) const;

  // The runs of a file: one of a trace, or all that a summary holds. Throws what read_trace and
  // read_summary do.
  const std::vector<analyzer::RunSummary>& runs_of(const std::string& file);
  // The runs of all files, in order.
  std::vector<analyzer::RunSummary> runs_of(const std::vector<std::string>& files);

  // The ranks of a folder of traces, which is one run; null for anything else. Throws what
  // analyze_ranks does.
  const RankedRun* ranks_of(const std::string& folder);

  // The report of a trace with its timeline, kept until the reader goes; null for a summary. To be
  // asked for before the runs of the file, which is then not read again.
  const analyzer::Report* report_to_draw(const std::string& file);

 private:
  analyzer::AnalyzeOptions options_;
  std::map<std::string, analyzer::Report> drawn_;
  std::map<std::string, std::vector<analyzer::RunSummary>> read_;
  std::map<std::string, std::optional<RankedRun>> ranks_;
};

// The first file that is named twice, in any words and through any links; empty if none is.
// Evaluated as repeats, one run would seem to have no noise.
std::string named_twice(const std::vector<std::string>& files);

}  // namespace lapscope::cli
