#include "reports/text/summary.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <array>

#include "reports/text/findings.h"
#include "reports/text/layout.h"
#include "reports/text/paint.h"
#include "reports/text/table.h"
#include "reports/words/engine_words.h"
#include "reports/words/format.h"
#include "reports/words/printable.h"
#include "reports/words/verdict.h"

namespace lapscope::reports {
namespace {

using analyzer::DeviceResult;
using analyzer::FindingResult;
using analyzer::ScopeResult;
using Align = Table::Align;

constexpr std::size_t indent = 2;
constexpr std::size_t shown_rows = 5;            // of a table in which more would hide what matters
constexpr std::size_t most_in_a_sentence = 400;  // characters: names in it may be of any length

std::string sentence(std::string_view text, const TextStyle& style) {
  return wrapped(text, style.width, indent);
}

void print_strips(const DeviceResult& device, const TextStyle& style, std::ostream& out) {
  const analyzer::ActivityStrip& strip = device.strip;
  constexpr std::size_t label = 14;
  constexpr std::size_t others = 2 * indent + label + 10;  // and the column of shares
  if (strip.size() == 0 || style.width < others + 10) return;
  const std::size_t width = std::min(style.width - others, strip.size());
  const Paint paint(style);
  std::vector<std::int64_t> lengths;
  for (std::size_t i = 0; i < strip.size(); ++i) lengths.push_back(strip.length(i));
  const std::int64_t wall = device.scope.window.length();
  const auto share = [wall](std::int64_t ns) {
    return fmt::format("{:>8}", format_share(ns, wall));
  };
  out << '\n';
  for (const analyzer::EngineResult& engine : device.engines) {
    const auto& busy = strip.busy_ns[static_cast<std::size_t>(engine.engine)];
    fmt::print(out, "  {:<14}  {}{}\n", word_of(engine.engine),
               paint.of(engine.engine, strip_of(busy, lengths, width, style)),
               share(engine.busy_ns));
  }
  fmt::print(out, "  {:<14}  {}{}\n", "idle",
             paint.faint(strip_of(strip.idle_ns, lengths, width, style)),
             share(device.scope.gaps.total_ns));
  const std::string end = format_ns(wall);
  if (width > end.size() + 2) fmt::print(out, "{:18}0{:>{}}\n", "", end, width - 1);
}

// The figures that say how much overlaps. What has no value is left out.
void print_figures(const ScopeResult& scope, const TextStyle& style, std::ostream& out) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> figures = {{
      {"overlap_ratio", "0: fully serial; negative: idle outweighs overlap"},
      {"overlap_efficiency", "share of the possible saving that was made"},
      {"copy_hidden", "share of copy time beside compute"},
      {"comm_hidden", "share of communication beside other compute"},
      {"idle_ratio", "idle / wall"},
  }};
  Table table({Align::left, Align::right, Align::left});
  for (const auto& [name, meaning] : figures) {
    const analyzer::Value* value = value_of(scope, name);
    if (value == nullptr || std::holds_alternative<analyzer::Undefined>(*value)) continue;
    table.add({std::string(name), format_value(*value),
               shortened(meaning, style.width - std::min<std::size_t>(style.width, 30))});
  }
  out << '\n';
  table.print(out, indent);
}

void print_findings(const ScopeResult& scope, const TextStyle& style, std::ostream& out) {
  const auto& findings = scope.causes->findings;
  if (findings.empty()) return;
  const Paint paint(style);
  fmt::print(out, "\n  {}\n", paint.bold("what stops it, and what putting it right would save"));
  Table table({Align::right, Align::left, Align::right, Align::right, Align::left});
  constexpr std::size_t beside = 52;  // what the other columns take, about
  const std::size_t room = style.width > beside + 12 ? style.width - beside : 12;
  for (std::size_t i = 0; i < std::min(shown_rows, findings.size()); ++i) {
    const FindingResult& finding = findings[i];
    table.add({fmt::format("{}.", i + 1), std::string(finding.code), format_ns(finding.saving_ns),
               fmt::format("{:.1f} %", 100 * finding.saving_share), shortened(finding.what, room)});
  }
  table.print(out, 2 * indent);
  if (findings.size() > shown_rows) {
    fmt::print(out, "    and {} smaller ones: --verbose\n", findings.size() - shown_rows);
  }
  const FindingResult& first = findings.front();
  fmt::print(out, "\n  {}\n  {}\n  {}\n", paint.bold("first"),
             sentence(shortened(printable(first.explanation), most_in_a_sentence) + " " +
                          printable(first.fix),
                      style),
             sentence(prediction_sentence(first, scope), style));
  if (!first.fix_argument.empty()) {
    fmt::print(out, "  {}\n",
               paint.faint("lapscope whatif --fix " + printable(first.fix_argument)));
  }
}

void print_blame(const ScopeResult& scope, const TextStyle& style, std::ostream& out) {
  const auto& blame = scope.causes->blame;
  if (blame.empty()) return;
  fmt::print(out, "\n  {}\n", Paint(style).bold("where the time went, along what held up what"));
  Table table({Align::left, Align::right, Align::right, Align::left});
  for (std::size_t i = 0; i < std::min(shown_rows, blame.size()); ++i) {
    const bool works = blame[i].kind == analyzer::BlameKind::work;
    table.add({std::string(works ? word_of_code(blame[i].code) : blame[i].code),
               format_ns(blame[i].ns), format_share(blame[i].ns, scope.window.length()),
               works ? "work" : "waiting"});
  }
  table.print(out, 2 * indent);
}

void print_idle(const ScopeResult& scope, const TextStyle& style, std::ostream& out) {
  if (scope.gaps.count == 0) return;
  fmt::print(out, "\n  {}\n",
             Paint(style).bold(fmt::format("idle: {} gaps, {} in all, by what kept the next op "
                                           "from starting",
                                           scope.gaps.count, format_ns(scope.gaps.total_ns))));
  const auto causes = causes_of(scope.gaps);
  Table table({Align::left, Align::right, Align::right});
  for (std::size_t i = 0; i < std::min(shown_rows, causes.size()); ++i) {
    table.add({causes[i].first, format_ns(causes[i].second),
               format_share(causes[i].second, scope.gaps.total_ns)});
  }
  table.print(out, 2 * indent);
}

}  // namespace

void print_summary(const DeviceResult& device, const TextStyle& style, std::ostream& out) {
  const Paint paint(style);
  fmt::print(out, "\n{}\n  {}\n",
             paint.bold(fmt::format("{}: {} ops in {}", title_of(device), device.scope.ops,
                                    format_ns(device.scope.window.length()))),
             paint.bold(sentence(headline(device), style)));
  if (device.scope.causes) {
    fmt::print(out, "  {}\n", sentence(overlap_sentence(device.scope), style));
  }
  print_strips(device, style, out);
  print_figures(device.scope, style, out);
  if (device.scope.causes) {
    print_findings(device.scope, style, out);
    print_blame(device.scope, style, out);
    if (device.scope.causes->findings.empty() || style.verbose) {
      print_advice(device.scope, style, out);
    }
  }
  print_idle(device.scope, style, out);
}

}  // namespace lapscope::reports
