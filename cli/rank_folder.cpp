#include "cli/rank_folder.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "analyzer/ranks/rank_work.h"

namespace lapscope::cli {

namespace fs = std::filesystem;

std::vector<std::string> traces_in(const std::string& folder) {
  constexpr std::array<std::string_view, 5> endings = {".sqlite", ".nsys-rep", ".json", ".json.gz",
                                                       ".xplane.pb"};
  std::vector<std::string> files;
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return files;
  std::error_code error;
  const fs::directory_iterator entries(folder, error);
  if (error) {
    throw std::runtime_error("'" + folder + "' cannot be read: " + error.message() + ".");
  }
  for (const fs::directory_entry& entry : entries) {
    const std::string name = entry.path().filename().string();
    const bool is_known = std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) {
      return name.ends_with(ending);
    });
    const bool is_manifest = name.starts_with("manifest.") && name.ends_with(".json");
    if (is_known && !is_manifest && entry.is_regular_file()) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

reports::RunReport analyze_ranks(const std::string& folder, const AnalysisOptions& options) {
  const std::vector<std::string> files = traces_in(folder);
  analyzer::AnalyzeOptions analysis = options.analysis;
  analysis.window = window_of(options.window);
  expect_analyses(files, analysis);
  reports::RunReport result;
  result.folder = folder;
  std::vector<analyzer::RankWork> works;
  for (const std::string& file : files) {
    analyzer::Report report = analyze_showing_progress(
        file, analysis, [&](const analyzer::Trace& trace, const analyzer::Report& of_trace) {
          for (analyzer::RankWork& work : rank_works(trace, of_trace, analysis.communication)) {
            works.push_back(std::move(work));
          }
        });
    if (report.devices.empty()) {
      result.without_work.push_back(file);
    } else {
      result.reports.push_back(std::move(report));
    }
  }
  if (works.empty()) throw std::runtime_error("No trace in '" + folder + "' has GPU work.");
  result.run = judge_ranks(std::move(works));
  return result;
}

}  // namespace lapscope::cli
