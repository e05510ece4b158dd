#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/analyze.h"
#include "analyzer/summary/summary.h"
#include "reports/ranks/render_ranks.h"

namespace lapscope::cli {

// Whether a file is a summary. A JSON file can also be a trace of another tool.
bool is_summary(const std::string& file);

struct RankedRun {
  reports::RunReport run;
  std::vector<analyzer::RunSummary> ranks;  // the results of summarize_ranks()
};

// Reads traces and summaries, each file once.
class RunReader {
 public:
  // `options` apply to traces only. The results in a summary depend on the options with which the
  // summary was made.
  explicit RunReader(analyzer::AnalyzeOptions options);

  // Announces files that will be read, so that the displayed progress includes them.
  void expect(const std::vector<std::string>& files) const;

  // Returns the runs of a file. A trace has one run, and a summary may contain several. Throws the
  // exceptions of read_trace and read_summary.
  const std::vector<analyzer::RunSummary>& runs_of(const std::string& file);
  // Returns the runs of all files, in order.
  std::vector<analyzer::RunSummary> runs_of(const std::vector<std::string>& files);

  // Returns the ranks of the run in `folder`, from traces or rank summaries; null if there are
  // none. Throws the exceptions of analyze_ranks.
  const RankedRun* ranks_of(const std::string& folder);

  // Returns the report of a trace with its timeline; null for a summary. The report lives as long
  // as the reader. Call this before runs_of(), so that the file is read only once.
  const analyzer::Report* report_to_draw(const std::string& file);

 private:
  analyzer::AnalyzeOptions options_;
  std::map<std::string, analyzer::Report> drawn_;
  std::map<std::string, std::vector<analyzer::RunSummary>> read_;
  std::map<std::string, std::optional<RankedRun>> ranks_;
};

// Throws WrongUsage if a file is named twice, even under another path or through a link. If one run
// were read twice, its two equal results would hide how much runs vary.
void refuse_repeated(const std::vector<std::string>& files);

}  // namespace lapscope::cli
