#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "reports/text/text_sections.h"
#include "reports/words/accuracy.h"
#include "reports/words/call_sites.h"
#include "reports/words/findings.h"
#include "reports/words/format.h"
#include "reports/words/host_time_words.h"
#include "reports/words/verdict_words.h"

namespace lapscope::reports {
namespace {

using analyzer::FindingResult;
using analyzer::ScopeResult;

constexpr std::size_t most_fixes = 3;      // of a finding
constexpr std::size_t finding_margin = 3;  // columns of "1. "

// The lines of a finding. The lines of its further fixes are separate.
struct FindingLines {
  Lines lines;
  std::vector<Lines> alternatives;
};

Lines fix_lines(std::string_view label, const Fixes& fixes, std::size_t number,
                const TextStyle& style) {
  const Fixes::One& fix = fixes.all[number];
  const std::string at = fix.line.empty() ? "" : " at " + printable(fix.line);
  const std::string indent(finding_margin, ' ');
  Lines lines = wrapped_lines(fmt::format("{}{}: {}", label, at, printable(fix.text)),
                              {style.width - finding_margin}, 0);
  for (std::string& line : lines) line.insert(0, indent);
  return lines;
}

FindingLines finding_lines(const FindingResult& finding, std::size_t number,
                           const ScopeResult& scope, const TextStyle& style) {
  const Paint paint(style);
  const std::string indent(finding_margin, ' ');
  std::string where = printable(words_of(finding.what));
  if (!finding.sites.empty() && !finding.sites.front().range.empty()) {
    where += " in '" + printable(finding.sites.front().range) + "'";
  }
  const std::size_t room =
      style.width - std::min(style.width, finding_margin + finding.code.size() + 2);
  Lines lines = {fmt::format("{}. {}{}", number, paint.bold(std::string(finding.code)),
                             where.empty() ? "" : ": " + cut_inside(where, room))};
  const std::size_t beside = style.width - finding_margin;
  add(lines, wrapped_lines(saving_sentence(finding, scope) + ".", style, finding_margin));
  lines[1] = indent + lines[1];
  if (const std::string at = where_of(finding); !at.empty()) {
    lines.insert(lines.begin() + 1, indent + cut_inside("at " + at, beside));
    Lines nameless = wrapped_lines(nameless_sentence(finding), {beside}, 0);
    for (std::string& line : nameless) line.insert(0, indent);
    lines.insert(lines.begin() + 2, nameless.begin(), nameless.end());
  }
  if (finding.host_work) {
    const std::string host = printable(short_words_of(*finding.host_work));
    Lines host_lines = wrapped_lines("Host: " + host, {beside}, 0);
    for (std::string& line : host_lines) line.insert(0, indent);
    add(lines, host_lines);
  }
  const Fixes fixes = fixes_of(finding);
  FindingLines all{std::move(lines), {}};
  for (std::size_t i = 0; i < std::min(most_fixes, fixes.all.size()); ++i) {
    const Lines fix = fix_lines(i == 0 ? "Fix" : "Or", fixes, i, style);
    if (i == 0) add(all.lines, fix);
    if (i > 0) all.alternatives.push_back(fix);
  }
  return all;
}

}  // namespace

std::size_t lines_of_one(const ScopeResult& scope, const TextStyle& style) {
  const auto& findings = scope.causes->findings;
  const std::size_t more = findings.size() > 1 ? 1 : 0;
  return 1 + finding_lines(findings.front(), 1, scope, style).lines.size() + more;
}

Lines finding_sections(const ScopeResult& scope, std::size_t room, const TextStyle& style) {
  const auto& findings = scope.causes->findings;
  if (findings.empty()) return {};
  const std::size_t tight = lines_of_one(scope, style);
  Lines lines;
  if (room >= tight) lines.push_back(Paint(style).bold("Bottlenecks by predicted saving"));
  std::size_t shown = 0;
  for (; shown < findings.size(); ++shown) {
    const FindingLines finding = finding_lines(findings[shown], shown + 1, scope, style);
    const std::size_t more = shown + 1 == findings.size() ? 0 : 1;
    if (shown > 0 && lines.size() + finding.lines.size() + more > room) break;
    add(lines, finding.lines);
    for (const Lines& other : finding.alternatives) {
      if (lines.size() + other.size() + more <= room) add(lines, other);
    }
  }
  const std::size_t left = findings.size() - shown;
  if (left > 0) {
    lines.push_back(fmt::format("   {} more bottleneck{}: -v", left, left == 1 ? "" : "s"));
  }
  return lines;
}

}  // namespace lapscope::reports
