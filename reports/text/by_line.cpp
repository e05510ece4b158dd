#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <ostream>

#include "reports/text/text_sections.h"
#include "reports/words/call_sites.h"
#include "reports/words/format.h"
#include "reports/words/host_time_words.h"
#include "reports/words/scope_words.h"
#include "reports/words/verdict_words.h"

namespace lapscope::reports {
namespace {

using analyzer::CallSite;
using analyzer::FindingResult;
using analyzer::Ns;
using analyzer::ScopeResult;
using Align = Table::Align;

// All call sites on one source line, each with its finding.
struct LineOfSource {
  std::string where;
  std::vector<std::pair<const FindingResult*, const CallSite*>> sites;

  Ns most_saved() const {
    Ns most = 0;
    for (const auto& [finding, site] : sites) most = std::max(most, site->saving_ns.value_or(0));
    return most;
  }
};

// Groups call sites by source line, the largest saving first. Sites without a line come last.
std::vector<LineOfSource> by_line(const analyzer::CausesResult& causes) {
  std::map<std::string, LineOfSource> lines;
  for (const FindingResult& finding : causes.findings) {
    for (const CallSite& site : finding.sites) {
      LineOfSource& line = lines[site.line];
      if (line.where.empty()) line.where = where_of(site);
      line.sites.emplace_back(&finding, &site);
    }
  }
  std::vector<LineOfSource> result;
  LineOfSource unknown;
  for (auto& [key, line] : lines) (key.empty() ? unknown : result.emplace_back()) = std::move(line);
  std::stable_sort(result.begin(), result.end(), [](const LineOfSource& a, const LineOfSource& b) {
    return a.most_saved() > b.most_saved();
  });
  if (unknown.sites.empty()) return result;
  unknown.where = "at a line that is not known";
  result.push_back(std::move(unknown));
  return result;
}

void print_lines(const ScopeResult& scope, const std::string& title, const std::string& verdict,
                 const TextStyle& style, std::ostream& out) {
  if (!scope.causes) return;
  constexpr std::size_t indent = 2;
  constexpr std::size_t name_width = 60;
  out << fmt::format("\n{}\n{}\n", wrapped(verdict, style.width, indent),
                     wrapped(title, style.width, indent));
  for (const LineOfSource& line : by_line(*scope.causes)) {
    out << fmt::format("\n  {}\n", Paint(style).bold(line.where));
    Table table({Align::right, Align::left, Align::right, Align::right, Align::left});
    table.add({"alone saves", "cause", "ops", "waited", "what"});
    for (const auto& [finding, site] : line.sites) {
      std::string what = words_of(site->what);
      if (!site->range.empty()) what += " in " + site->range;
      table.add({saving_at(*site, scope), std::string(finding->code),
                 std::to_string(site->occurrences), format_ns(site->waited_ns),
                 shortened(what, name_width)});
    }
    table.print(out, 2 * indent);
  }
}

void print_functions(const ScopeResult& scope, const std::string& verdict, const TextStyle& style,
                     std::ostream& out) {
  constexpr std::size_t indent = 2;
  out << fmt::format("\n{}\n", wrapped(verdict, style.width, indent));
  if (!scope.host_time) {
    out << "  Nobody looked at host threads: record with --host-samples.\n";
    return;
  }
  print_table(host_time_table(scope, std::numeric_limits<std::size_t>::max()), out);
  for (const std::string& text :
       {waiting_for_processor(*scope.host_time), words_of(scope.host_time->collections)}) {
    if (!text.empty()) out << fmt::format("  {}\n", wrapped(text, style.width, indent));
  }
}

}  // namespace

void print_by_line(const analyzer::Report& report, const TextStyle& style, std::ostream& out) {
  for (const analyzer::DeviceResult& device : report.devices) {
    for (const auto& range : device.ranges) {
      print_lines(range.scope, second_line(report, device, &range),
                  first_line(report, device, &range), style, out);
    }
    print_lines(device.scope, second_line(report, device, nullptr),
                first_line(report, device, nullptr), style, out);
  }
}

void print_by_function(const analyzer::Report& report, const TextStyle& style, std::ostream& out) {
  for (const analyzer::DeviceResult& device : report.devices) {
    for (const auto& range : device.ranges) {
      print_functions(range.scope, first_line(report, device, &range), style, out);
    }
    print_functions(device.scope, first_line(report, device, nullptr), style, out);
  }
}

}  // namespace lapscope::reports
