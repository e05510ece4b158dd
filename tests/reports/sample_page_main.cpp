#include <exception>
#include <iostream>
#include <map>
#include <string_view>

#include "analyzer/diff/comparison.h"
#include "analyzer/summary/summary.h"
#include "reports/diff/diff_renderer.h"
#include "reports/html/encode_timeline.h"
#include "reports/html/html_markup.h"
#include "reports/html/thin.h"
#include "reports/html/timeline_sections.h"
#include "reports/named.h"
#include "reports/renderer.h"
#include "reports/words/summary_words.h"
#include "tests/reports/support/sample_reports.h"

namespace lapscope {
namespace {

// Renders a comparison of `report` with the report of a recorded trace.
void compare(const analyzer::Report& report, std::string_view format) {
  const analyzer::Report recorded = test::recorded_report("stream_pipeline-overlapped");
  analyzer::AnalyzeOptions asked = analyzer::for_summary({});
  asked.focus = analyzer::Focus::automatic;
  const analyzer::RunSummary before = summarize(report, asked, reports::wording);
  const analyzer::RunSummary after = summarize(recorded, asked, reports::wording);
  const auto comparison = compare_runs(std::span(&before, 1), std::span(&after, 1));
  named(reports::diff_renderers, format)->render(comparison, {&report, &recorded}, {}, std::cout);
}

// Renders each timeline twice in one page: complete, and with room for half of its data.
void thin_out(std::span<const std::string_view> names) {
  std::string sections;
  for (const std::string_view name : names) {
    const analyzer::Report recorded = test::recorded_report(std::string(name));
    const std::size_t need = reports::bytes_of(*recorded.timeline);
    for (const std::size_t room : {reports::page_bytes, need / 2}) {
      sections +=
          "<section class=\"timeline\" data-report=\"0\"><script type=\"text/plain\" "
          "class=\"data\">";
      sections += reports::base64(
          reports::deflated(reports::encode_timeline(recorded, recorded.timeline->extent, room)));
      sections += "</script></section>\n";
    }
  }
  reports::write_page("thinned", {sections}, "", std::cout);
}

}  // namespace
}  // namespace lapscope

// Usage, for the programs that test the output:
//  sample_page findings|everything|hostile [FORMAT [diff]]  an invented report or comparison
//  sample_page thinned TRACE…                               the timeline of each trace, twice
int main(int argc, char** argv) {
  using namespace lapscope;
  const std::string_view which = argc >= 2 ? argv[1] : "";
  const std::string_view format = argc >= 3 ? argv[2] : "html";
  const bool is_thinned = argc > 2 && which == "thinned";
  const std::map<std::string_view, analyzer::Report (*)()> samples = {
      {"findings", test::report_with_findings},
      {"everything", test::report_with_everything},
      {"hostile", test::hostile_report}};
  if (!is_thinned && (!samples.contains(which) || !reports::find_renderer(format))) {
    std::cerr << "usage: sample_page findings|everything|hostile [FORMAT [diff]], or sample_page "
                 "thinned TRACE…\n";
    return 2;
  }
  try {
    if (is_thinned) {
      const std::vector<std::string_view> names(argv + 2, argv + argc);
      thin_out(names);
      return 0;
    }
    const analyzer::Report report = samples.at(which)();
    if (argc > 3) {
      compare(report, format);
    } else {
      reports::find_renderer(format)->render(std::span(&report, 1), {}, std::cout);
    }
  } catch (const std::exception& error) {
    std::cerr << "sample_page: " << error.what() << '\n';
    return 4;
  }
  return 0;
}
