#include "cli/read_runs.h"

#include <sys/stat.h>

#include <set>
#include <utility>

#include "analyzer/summary/summary.h"
#include "analyzer/summary/summary_file.h"
#include "cli/analysis_options.h"
#include "cli/commands.h"
#include "cli/rank_folder.h"
#include "cli/stages.h"
#include "readers/trace_format.h"
#include "reports/words/summary_words.h"

namespace lapscope::cli {

bool is_summary(const std::string& file) {
  return analyzer::looks_like_summary(file) &&
         analyzer::format_of_source(file, analyzer::Likeness::certain) == nullptr;
}

RunReader::RunReader(analyzer::AnalyzeOptions options)
    : options_(analyzer::for_summary(std::move(options))) {}

void RunReader::expect(const std::vector<std::string>& files) const {
  std::set<std::string> traces;
  for (const std::string& file : files) {
    const RunFolder run = run_in(file);
    if (!run.holds_summaries) traces.insert(run.files.begin(), run.files.end());
    if (run.files.empty()) traces.insert(file);
  }
  std::erase_if(traces, is_summary);
  expect_analyses({traces.begin(), traces.end()}, options_);
}

const std::vector<analyzer::RunSummary>& RunReader::runs_of(const std::string& file) {
  const auto known = read_.find(file);
  if (known != read_.end()) return known->second;
  std::vector<analyzer::RunSummary> runs;
  if (is_summary(file)) {
    runs = analyzer::read_summary(file);
  } else {
    runs.push_back(summarize(analyze_showing_progress(file, options_), options_, reports::wording));
  }
  return read_[file] = std::move(runs);
}

const RankedRun* RunReader::ranks_of(const std::string& folder) {
  const auto [known, is_new] = ranks_.try_emplace(folder);
  std::optional<RankedRun>& ranks = known->second;
  const RunFolder files = is_new ? run_in(folder) : RunFolder();
  if (!files.files.empty()) {
    reports::RunReport run = analyze_ranks(files, options_);
    std::vector<analyzer::RunSummary> summaries = summarize_ranks(run, options_);
    ranks = {std::move(run), std::move(summaries)};
  }
  return ranks ? &*ranks : nullptr;
}

std::vector<analyzer::RunSummary> RunReader::runs_of(const std::vector<std::string>& files) {
  std::vector<analyzer::RunSummary> all;
  for (const std::string& file : files) {
    const auto& runs = runs_of(file);
    all.insert(all.end(), runs.begin(), runs.end());
  }
  return all;
}

const analyzer::Report* RunReader::report_to_draw(const std::string& file) {
  if (is_summary(file)) return nullptr;
  const auto known = drawn_.find(file);
  if (known != drawn_.end()) return &known->second;
  analyzer::AnalyzeOptions options = options_;
  options.timeline = true;
  const analyzer::Report& report =
      drawn_.emplace(file, analyze_showing_progress(file, options)).first->second;
  read_[file] = {summarize(report, options_, reports::wording)};
  return &report;
}

void refuse_repeated(const std::vector<std::string>& files) {
  // Compares device and inode numbers, so that a link is the same file as its target. Skips missing
  // files, because the code that reads a file reports this error later.
  std::set<std::pair<dev_t, ino_t>> seen;
  for (const std::string& file : files) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) continue;
    if (!seen.insert({status.st_dev, status.st_ino}).second) {
      throw WrongUsage("'" + file + "' is named twice: the same run is no repeat");
    }
  }
}

}  // namespace lapscope::cli
