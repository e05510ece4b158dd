#include "reports/renderer.h"

#include <string>
#include <vector>

#include "reports/html/page_sections.h"
#include "reports/html/page_shell.h"
#include "reports/html/timeline_sections.h"

namespace lapscope::reports {
namespace {

using analyzer::Report;

std::string body_of(const Report& report, std::size_t number, const std::string& timeline) {
  // The verdict and the timeline stand above the prose.
  std::string text = "<article>" + header_section(report) + timeline;
  std::size_t finding = 0;
  const auto count = [](const analyzer::ScopeResult& scope) {
    return scope.causes ? scope.causes->findings.size() : 0;
  };
  // Who asked for a range wants to know of it first.
  for (const auto& device : report.devices) {
    for (const auto& range : device.ranges) {
      text += range_section(report, range, device, number, finding);
      finding += count(range.scope);
    }
    text += device_section(report, device, number, finding);
    finding += count(device.scope);
  }
  for (const auto& device : report.devices) text += tables_section(report, device, number);
  return text + trust_section(report) + "</article>\n";
}

}  // namespace

void render_html(std::span<const Report> reports, std::ostream& out) {
  std::vector<ShownTimeline> timelines;
  for (const Report& report : reports) {
    timelines.push_back(
        {&report, report.timeline ? report.timeline->extent : analyzer::Interval{}, ""});
  }
  const auto sections = timeline_sections(timelines, LinkedViews::when_asked);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    parts.push_back(body_of(reports[i], i, sections[i]));
  }
  const bool any = !reports.empty();
  write_page(any ? reports.front().trace.file : "", parts, any ? reports.front().tool_version : "",
             out);
}

}  // namespace lapscope::reports
