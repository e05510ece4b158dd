#include "cli/stages.h"

#include <algorithm>
#include <filesystem>

#include "readers/trace_format.h"

namespace lapscope::cli {
namespace {

namespace fs = std::filesystem;

// Planned seconds for each MB of a trace. An import is planned apart (SourceFile::import_seconds).
constexpr double reading_rows = 3.2e-3;
constexpr double sorting = 0.35e-3;
constexpr double checking = 1.9e-3;
constexpr double converting = 18e-3;
constexpr double measuring = 2.1e-3;
constexpr double explaining = 40e-3;
constexpr double drawing = 0.45e-3;
constexpr double predicting = 30e-3;

// Returns the planned seconds for finding causes. In a large trace, the analysis finds causes only
// in a sample of the ops.
double explaining_seconds(double megabytes, const analyzer::AnalyzeOptions& options) {
  if (!options.find_causes) return 0;
  constexpr double ops_in_megabyte = 6500;
  const double sample = static_cast<double>(options.sample_ops) / ops_in_megabyte;
  const bool is_sampled = sample > 0 && megabytes > 2 * sample;
  return explaining * (is_sampled ? sample : megabytes);
}

// Returns the planned seconds for an HTML page. The time for encoding the page has a limit, because
// a page has at most 10 MB. The time for merging the entries of its timeline grows with the trace.
double page_seconds(double megabytes) {
  return std::min(4.3e-3 * megabytes, 0.2 + 3e-3 * megabytes);
}
double perfetto_seconds(double megabytes) { return 7e-3 * megabytes; }

std::string name_of(const std::string& file) { return fs::path(file).filename().string(); }

double megabytes(const std::string& file) {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(file, error);
  return error ? 0 : static_cast<double>(bytes) / 1e6;
}

// Returns the properties of the file's format. For a trace database, returns the defaults.
analyzer::SourceFile source_of(const std::string& file) {
  const analyzer::TraceFormat* format = analyzer::format_of_source(file);
  return format ? format->file : analyzer::SourceFile{};
}

double trace_megabytes(const std::string& file) {
  return megabytes(file) * source_of(file).trace_share;
}

}  // namespace

std::vector<Stage> reading_stages(const std::string& file) {
  const double size = megabytes(file);
  return {{"reading " + name_of(file), size * reading_rows},
          {"sorting " + name_of(file), size * sorting}};
}

Stage checking_stage(const std::string& file) {
  return {"checking " + name_of(file), megabytes(file) * checking};
}

Stage importing_stage(const std::string& file) {
  return {"reading " + name_of(file), megabytes(file) * source_of(file).import_seconds};
}

std::vector<Stage> sorting_stages(const std::string& file) {
  const double size = trace_megabytes(file);
  const std::string doing = "sorting " + name_of(file);
  return {{doing, size * reading_rows}, {doing, size * sorting}};
}

Stage converting_stage(const std::string& file) {
  const double importing = source_of(file).import_seconds;
  const double each = importing > 0 ? importing : converting;
  return {"converting " + name_of(file), megabytes(file) * each};
}

std::vector<Stage> analysis_stages(const std::string& file,
                                   const analyzer::AnalyzeOptions& options) {
  const double size = trace_megabytes(file);
  const std::string name = name_of(file);
  return {{"measuring " + name, size * measuring},
          {"finding causes in " + name, explaining_seconds(size, options)},
          {"drawing " + name, options.timeline ? size * drawing : 0}};
}

Stage predicting_stage(const std::string& file) {
  return {"predicting " + name_of(file), trace_megabytes(file) * predicting};
}

Stage rendering_stage(const std::string& output, std::string_view format,
                      const std::vector<std::string>& inputs) {
  double size = 0;
  for (const std::string& file : inputs) size += trace_megabytes(file);
  const double seconds = format == "html"       ? page_seconds(size)
                         : format == "perfetto" ? perfetto_seconds(size)
                                                : 0;
  return {"rendering " + output, seconds};
}

}  // namespace lapscope::cli
