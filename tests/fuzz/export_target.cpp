#include <filesystem>
#include <stdexcept>

#include "analyzer/diff/comparison.h"
#include "analyzer/summary/summary.h"
#include "analyzer/summary/summary_file.h"
#include "collector/trace/copy_tables.h"
#include "readers/open_trace.h"
#include "readers/read_trace.h"
#include "reports/diff/diff_renderer.h"
#include "reports/words/summary_words.h"
#include "tests/fuzz/export_seeds.h"
#include "tests/fuzz/row_edits.h"
#include "tests/fuzz/show.h"

namespace lapscope::fuzz {
namespace {

using schema::Database;

struct Export {
  Seed seed;
  analyzer::Report report;  // of the unchanged export
  analyzer::RunSummary summary;
};

// Selects everything that diff shows of a run, including drawings.
analyzer::AnalyzeOptions to_compare() {
  analyzer::AnalyzeOptions options = analyzer::for_summary({});
  options.focus = analyzer::Focus::steady;
  options.ranges = {"*"};
  options.timeline = true;
  return options;
}

const Export& export_of(std::uint8_t choice) {
  static const std::vector<Export> all = [] {
    std::vector<Export> read;
    for (const ExportLayout& layout : export_layouts()) {
      const std::string path = file_of({});
      std::filesystem::remove(path);
      write_export(path, layout);
      Export one;
      one.seed = read_seed(path);
      one.report = analyzer::analyze(analyzer::read_trace(path), to_compare());
      one.summary = summarize(one.report, to_compare(), reports::wording);
      read.push_back(std::move(one));
    }
    return read;
  }();
  return all[choice % all.size()];
}

std::string json_of(const analyzer::Trace& trace) {
  constexpr std::size_t json = 1;
  return show(trace, json);
}

// Checks that converting a valid file does not change its analysis.
void convert(const std::string& path) {
  const std::string result = json_of(analyzer::read_trace(path));
  analyzer::OpenedTrace source = analyzer::open_trace(path);
  Database copy = Database::in_memory();
  trace::copy_tables(source.database, copy, source.format_name);
  if (json_of(analyzer::read_trace(std::move(copy), path)) != result) {
    throw std::logic_error("the result of a conversion is not that of its source");
  }
}

void compare(const Export& before, const std::string& path, std::size_t format) {
  const analyzer::Report after = analyzer::analyze(analyzer::read_trace(path), to_compare());
  const std::vector<analyzer::RunSummary> now = {summarize(after, to_compare(), reports::wording)};
  std::ostringstream out;
  analyzer::write_summary(now, out);
  const analyzer::Comparison comparison = analyzer::compare_runs({&before.summary, 1}, now);
  const auto& renderers = reports::diff_renderers;
  renderers[format % std::size(renderers)].render(comparison, {&before.report, &after},
                                                  {.width = 80}, out);
}

}  // namespace

void nsys_export(Bytes bytes) {
  Input input(bytes);
  const Export& chosen = export_of(input.take<std::uint8_t>());
  const auto what = input.take<std::uint8_t>();
  const std::string path = edited(chosen.seed, Columns::may_go, input);
  try {
    switch (what % 3) {
      case 0:
        show(analyzer::read_trace(path), what / 3);
        break;
      case 1:
        compare(chosen, path, what / 3);
        break;
      default:
        convert(path);
    }
  } catch (const analyzer::UnreadableTrace&) {
  }
}

}  // namespace lapscope::fuzz
