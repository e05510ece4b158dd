#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "analyzer/measures/measure.h"
#include "analyzer/summary/history.h"
#include "analyzer/summary/summary_file.h"
#include "cli/commands.h"
#include "cli/output_file.h"
#include "cli/output_options.h"
#include "cli/runs.h"
#include "reports/history/render_history.h"

namespace lapscope::cli {
namespace {

namespace fs = std::filesystem;

struct HistoryOptions {
  std::string folder;
  std::string measure = std::string(analyzer::overlap_ratio.name);
  std::string range;
  std::string output = "-";
};

// Returns the summaries in a folder. Throws std::runtime_error with a sentence if the folder has no
// summaries, or cannot be read.
std::vector<std::string> summaries_in(const std::string& folder) {
  std::vector<std::string> files = files_in(folder, [](const fs::directory_entry& entry) {
    return entry.is_regular_file() && analyzer::looks_like_summary(entry.path());
  });
  if (files.empty()) {
    throw std::runtime_error("'" + folder +
                             "' has no summary. Write one for each commit: `lapscope summarize "
                             "RUN.sqlite -o FOLDER/COMMIT.json`.");
  }
  return files;
}

// Returns the renderer for the extension of the output. For standard output, returns the renderer
// of text.
const reports::HistoryRenderer& renderer_for(const std::string& output) {
  const std::string extension = fs::path(output).extension().string();
  for (const reports::HistoryRenderer& renderer : reports::history_renderers) {
    if (renderer.extension == extension) return renderer;
  }
  if (output == "-") return reports::history_renderers[0];
  throw CLI::ValidationError("-o", "'" + output + "' must end with .html or .txt");
}

int show_history(const HistoryOptions& options) {
  const reports::HistoryRenderer& renderer = renderer_for(options.output);
  const std::vector<std::string> files = summaries_in(options.folder);
  OutputFile file(options.output, files);
  std::vector<analyzer::HistoryRuns> labels;
  for (const std::string& path : files) {
    labels.push_back({fs::path(path).stem().string(), analyzer::read_summary(path)});
  }
  const analyzer::Measure& measure = *analyzer::find_measure(options.measure);
  const std::vector<analyzer::HistorySeries> series =
      analyzer::history_of(labels, measure, options.range);
  if (series.empty()) {
    say("'", options.folder, "': no summary has ",
        options.range.empty() ? "a device with ops" : "range '" + options.range + "'");
    return inconclusive;
  }
  const auto style = file.is_stdout() ? style_of_stdout() : style_of_files();
  renderer.render(measure, series, style, file.stream());
  file.commit();
  return good;
}

}  // namespace

void add_history(CLI::App& app) {
  auto options = std::make_shared<HistoryOptions>();
  CLI::App* command = app.add_subcommand("history", "Show a measure over commits");
  command
      ->add_option("FOLDER", options->folder,
                   "Folder with a summary for each commit. The file name is the label")
      ->required();
  const auto is_measure = [](const std::string& name) {
    return analyzer::find_measure(name)
               ? std::string()
               : "'" + name + "' is no measure; analyze --format json names them";
  };
  command
      ->add_option("--measure", options->measure,
                   "Measure to show, as named by analyze --format json")
      ->check(is_measure)
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--range", options->range,
                      "Evaluate this NVTX range instead of the default scope. The summaries must "
                      "contain this range");
  command
      ->add_option("-o,--output", options->output,
                   "Output file: an HTML page (.html) or text (.txt); - is standard output")
      ->capture_default_str();
  command->footer(
      "Example:\n  lapscope summarize run.sqlite -o history/$(git rev-parse --short HEAD).json\n  "
      "lapscope history history/ -o history.html\nExit status: 0 success, 2 usage error, 3 no "
      "summary has this scope, 4 unreadable file.");
  command->callback([options] { exit_with(show_history(*options)); });
}

}  // namespace lapscope::cli
