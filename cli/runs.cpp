#include "cli/runs.h"

#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "analyzer/ranks/judge_ranks.h"
#include "analyzer/ranks/rank_summary.h"
#include "analyzer/summary/summary.h"
#include "analyzer/summary/summary_file.h"
#include "cli/analysis_options.h"
#include "cli/commands.h"
#include "cli/stages.h"
#include "readers/trace_format.h"
#include "reports/words/call_sites.h"
#include "reports/words/findings.h"
#include "reports/words/summary_words.h"

namespace lapscope::cli {
namespace {

// Returns the first finding in the default scope of device `id` in the report of one rank. Returns
// an empty finding if there is none.
analyzer::OwnFinding own_finding(const analyzer::Report& report, std::int64_t id) {
  for (const analyzer::DeviceResult& device : report.devices) {
    const auto& causes = judged_of(device).causes;
    if (device.id != id || !causes || causes->findings.empty()) continue;
    const analyzer::FindingResult& first = causes->findings.front();
    return {std::string(first.code), reports::where_of(first), reports::function_of(first)};
  }
  return {};
}

// Reads and analyzes a trace. For each rank in it, adds an element to `works`, with the data for
// the joint analysis of all ranks.
analyzer::Report add_works_of(const std::string& file, const analyzer::AnalyzeOptions& options,
                              std::vector<analyzer::RankWork>& works) {
  return analyze_showing_progress(
      file, options, [&](const analyzer::Trace& trace, const analyzer::Report& of_trace) {
        for (analyzer::RankWork& work : rank_works(trace, of_trace, options.communication)) {
          work.own = own_finding(of_trace, work.device);
          works.push_back(std::move(work));
        }
      });
}

}  // namespace

namespace fs = std::filesystem;

std::vector<std::string> files_in(const std::string& folder,
                                  const std::function<bool(const fs::directory_entry&)>& is_meant) {
  std::vector<std::string> files;
  std::error_code error;
  const fs::directory_iterator entries(folder, error);
  if (error) {
    throw std::runtime_error("'" + folder + "' cannot be read: " + error.message() + ".");
  }
  for (const fs::directory_entry& entry : entries) {
    if (is_meant(entry)) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> traces_in(const std::string& folder) {
  constexpr std::array<std::string_view, 5> endings = {".sqlite", ".nsys-rep", ".json", ".json.gz",
                                                       ".xplane.pb"};
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return {};
  return files_in(folder, [&](const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().string();
    const bool is_known = std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) {
      return name.ends_with(ending);
    });
    const bool is_manifest = name.starts_with("manifest.") && name.ends_with(".json");
    return is_known && !is_manifest && entry.is_regular_file() &&
           !is_summary(entry.path().string());
  });
}

RunFolder run_in(const std::string& path, bool summaries) {
  RunFolder folder{path, summaries ? std::vector<std::string>() : traces_in(path)};
  std::error_code ignored;
  if (!folder.files.empty() || (!summaries && !fs::is_directory(path, ignored))) return folder;
  folder.files = files_in(path, [](const fs::directory_entry& entry) {
    const std::string file = entry.path().string();
    return file.ends_with(".json") && analyzer::looks_like_rank_summary(file);
  });
  folder.holds_summaries = !folder.files.empty();
  if (summaries && folder.files.empty()) {
    throw std::runtime_error("There is no summary of ranks in '" + path +
                             "'. Write them with `lapscope summarize --ranks TRACE -o " +
                             (fs::path(path) / "RANK.json").string() + "`.");
  }
  return folder;
}

std::vector<std::string> files_of_runs(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    const RunFolder folder = run_in(path);
    files.insert(files.end(), folder.files.begin(), folder.files.end());
    if (folder.files.empty()) files.push_back(path);
  }
  return files;
}

bool is_run(const AnalysisOptions& options) {
  const std::vector<std::string>& files = options.files;
  const bool is_any =
      options.summaries || std::any_of(files.begin(), files.end(), [](const std::string& file) {
        return !run_in(file).files.empty();
      });
  if (is_any && files.size() > 1) {
    throw CLI::ValidationError("FILE", "a folder is one run: name it alone");
  }
  return is_any;
}

void expect_analyses(const RunFolder& folder, const analyzer::AnalyzeOptions& options) {
  const std::pair<const char*, bool> given[] = {{"--window", options.window.has_value()},
                                                {"--range", !options.ranges.empty()},
                                                {"--profiler-brackets", options.profiler_brackets},
                                                {"--iterations", !options.iterations.empty()}};
  for (const auto& [option, is_given] : given) {
    if (!is_given) continue;
    throw WrongUsage(std::string(option) + " does not apply to '" + folder.path +
                     "', whose ranks are analyzed together: give the trace of one rank");
  }
  if (!folder.holds_summaries) expect_analyses(folder.files, options);
}

std::vector<analyzer::RankWork> rank_works_of(const std::string& file,
                                              const analyzer::AnalyzeOptions& options) {
  std::vector<analyzer::RankWork> works;
  add_works_of(file, options, works);
  return works;
}

reports::RunReport analyze_ranks(const RunFolder& folder, const analyzer::AnalyzeOptions& options) {
  reports::RunReport result;
  result.tool_version = LAPSCOPE_VERSION;
  result.folder = folder.path;
  std::vector<analyzer::RankWork> works;
  std::vector<std::string> without_work;
  for (const std::string& file : folder.files) {
    if (folder.holds_summaries) {
      std::ranges::move(analyzer::read_rank_summary(file), std::back_inserter(works));
      continue;
    }
    analyzer::Report report = add_works_of(file, options, works);
    if (report.devices.empty()) {
      result.without_work.push_back(file);
      without_work.push_back(report.trace.rank);
    } else {
      result.reports.push_back(std::move(report));
    }
  }
  if (works.empty()) throw std::runtime_error("No trace in '" + folder.path + "' has GPU work.");
  result.run = judge_ranks(std::move(works),
                           options.causes.keeps_small_savings ? 0 : options.causes.least_saving,
                           without_work);
  return result;
}

std::vector<analyzer::RunSummary> summarize_ranks(const reports::RunReport& run,
                                                  const analyzer::AnalyzeOptions& options) {
  std::vector<analyzer::RunSummary> summaries;
  for (const reports::RankedReport& rank : reports_by_rank(run)) {
    summaries.push_back(summarize(*rank.report, options, reports::wording));
  }
  if (run.reports.empty()) {
    for (const analyzer::RankResult& rank : run.run.ranks) {
      analyzer::RunSummary& summary = summaries.emplace_back();
      summary.trace.file = rank.file;
      summary.trace.rank = rank.name;
      summary.trust = rank.trust;
      summary.provenance.emplace();
    }
  }
  for (analyzer::RunSummary& summary : summaries) {
    for (const analyzer::RunDefectRow& defect : run.run.defects) {
      summary.trust = analyzer::Trust::inconclusive;
      summary.health.push_back({std::string(code_of(defect.defect)),
                                analyzer::Severity::error,
                                defect.count,
                                {reports::sentence_of(defect), ""}});
    }
  }
  return summaries;
}

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
  // Compares device and inode numbers, so that a link counts as the same file as its target. Skips
  // missing files, because the code that reads the files reports them later.
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
