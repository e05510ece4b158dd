#include "reports/renderer.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analyzer/analysis/verdict.h"
#include "reports/html/html_markup.h"
#include "reports/html/page_sections.h"
#include "reports/html/timeline_sections.h"
#include "reports/words/call_sites.h"
#include "reports/words/format.h"
#include "reports/words/verdict_words.h"

namespace lapscope::reports {
namespace {

using analyzer::Ns;
using analyzer::Report;
using analyzer::ScopeResult;

std::string body_of(const Report& report, std::size_t number, const std::string& timeline) {
  // The verdict and the timeline come first.
  std::string text =
      fmt::format("<article id=\"trace-{}\">", number) + header_section(report) + timeline;
  std::size_t finding = 0;
  const auto count = [](const analyzer::ScopeResult& scope) {
    return scope.causes ? scope.causes->findings.size() : 0;
  };
  // The requested ranges come before the whole device.
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

std::string first_finding_of(const ScopeResult* scope) {
  if (scope == nullptr) return "no work on a GPU";
  if (!scope->causes || scope->causes->findings.empty()) return html_text(short_verdict(*scope));
  const analyzer::FindingResult& finding = scope->causes->findings.front();
  return html_text(fmt::format("{}: {}", finding.code, words_of(finding.what)));
}

// Returns a list of traces with links, the largest saving first.
std::string index_of(std::span<const Report> reports) {
  struct Entry {
    std::size_t number = 0;
    const ScopeResult* scope = nullptr;
    Ns saving_ns = 0;
  };
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    Entry entry{i};
    if (const analyzer::DeviceResult* device = device_to_show(reports[i])) {
      entry.scope = &scope_to_show(*device);
      const auto& causes = entry.scope->causes;
      if (causes && !causes->findings.empty()) entry.saving_ns = causes->findings.front().saving_ns;
    }
    entries.push_back(entry);
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.saving_ns > b.saving_ns; });
  std::vector<Cells> rows;
  for (const Entry& entry : entries) {
    const Report& report = reports[entry.number];
    const bool saves = entry.scope && entry.saving_ns > 0 && tells_savings(*entry.scope);
    rows.push_back(
        {fmt::format("<a href=\"#trace-{}\">{}</a>", entry.number, html_text(report.trace.file)),
         std::string(name_of(verdict_of(report))), first_finding_of(entry.scope),
         saves ? format_ns(entry.saving_ns) : "",
         saves ? html_text(format_share(entry.saving_ns, modelled_ns(*entry.scope))) : ""});
  }
  return fmt::format("<nav><h1>{} traces</h1>\n", reports.size()) +
         table_of("by what a fix of the first finding saves", "lllrr",
                  {"trace", "verdict", "first finding", "saves", "of its time"}, rows) +
         "</nav>\n";
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
  if (reports.size() > 1) parts.push_back(index_of(reports));
  for (std::size_t i = 0; i < reports.size(); ++i) {
    parts.push_back(body_of(reports[i], i, sections[i]));
  }
  const bool any = !reports.empty();
  const std::string title = reports.size() > 1 ? fmt::format("{} traces", reports.size())
                            : any              ? reports.front().trace.file
                                               : "";
  write_page(title, parts, any ? reports.front().tool_version : "", out);
}

}  // namespace lapscope::reports
