#include "tests/analyzer/examples/example.h"

#include "analyzer/analysis/analyze.h"
#include "readers/read_trace.h"
#include "tests/analyzer/examples/figures.h"

namespace lapscope::test {
namespace {

analyzer::AnalyzeOptions options_of(const Asked& asked, std::int64_t unit) {
  analyzer::AnalyzeOptions options;
  if (asked.window) options.window = {asked.window->start * unit, asked.window->end * unit};
  if (!asked.range.empty()) options.ranges = {std::string(asked.range)};
  if (asked.own_threads) options.range_threads = analyzer::RangeThreads::own;
  options.profiler_brackets = asked.profiler;
  if (asked.steady) options.focus = analyzer::Focus::automatic;
  options.series_bins = asked.series;
  options.iterations = asked.iterations;
  return options;
}

}  // namespace

std::vector<std::string> computed(const Example& example, const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "example.sqlite";
  std::filesystem::remove(file);
  write_drawing(file, example.drawing, example.fills);
  const std::int64_t unit = unit_of(example.drawing);
  const auto figures = figures_of(
      analyzer::analyze(analyzer::read_trace(file), options_of(example.asked, unit)), unit);
  std::vector<std::string> values;
  for (const Figure& figure : example.figures) {
    const auto found = figures.find(std::string(figure.name));
    values.push_back(found == figures.end() ? "none" : found->second);
  }
  return values;
}

}  // namespace lapscope::test
