#include "reports/renderer.h"

#include <fmt/format.h>

#include <sstream>

#include "reports/text/layout.h"
#include "reports/text/text_sections.h"
#include "reports/words/format.h"
#include "reports/words/health_words.h"
#include "reports/words/verdict_words.h"

namespace lapscope::reports {
namespace {

using analyzer::DeviceResult;
using analyzer::Report;
using Align = Table::Align;

constexpr std::size_t indent = 2;

void print_origin(const Report& report, const TextStyle& style, std::ostream& out) {
  const auto& trace = report.trace;
  out << fmt::format("{}\n", Paint(style).bold(printable(trace.file)));
  if (!trace.command.empty()) out << fmt::format("  {}\n", printable(trace.command));
  Table facts({Align::left, Align::left});
  if (!trace.created.empty()) {
    std::string recorded = fmt::format("{} by {}", trace.created, trace.recorder);
    if (!trace.driver.empty()) recorded += ", driver " + trace.driver;
    if (!trace.cupti.empty()) recorded += ", CUPTI " + trace.cupti;
    facts.add({"recorded", printable(recorded)});
  }
  facts.add({"format", printable(trace.format)});
  facts.add({"times", "instants count from the first op, in ms, as --window takes them"});
  facts.print(out, indent);
}

// Prints the problems of the recording, before everything else. The worst comes first.
void print_health(const Report& report, const TextStyle& style, std::ostream& out) {
  const Paint paint(style);
  for (const auto& row : worst_first(report.health)) {
    const analyzer::Severity severity = severity_of(row);
    const std::string text = fmt::format("{}: {}", name_of(severity), printable(message_of(row)));
    out << fmt::format("\n{}\n", paint.of(severity, wrapped(text, style.width, indent)));
    const std::string remedy = remedy_of(row);
    if (!remedy.empty()) {
      out << fmt::format("  {}\n", wrapped(printable(remedy), style.width, indent));
    }
  }
}

void print_scope(const analyzer::ScopeResult& scope, const Report& report, const TextStyle& style,
                 std::ostream& out) {
  print_causes(scope, report.first_op, style, out);
  out << '\n';
}

// Prints the results of a device. The requested ranges come before the whole device.
void print_device(const DeviceResult& device, const Report& report, const TextStyle& style,
                  std::ostream& out) {
  for (const auto& range : device.ranges) {
    print_summary(report, range, device, style, out);
    print_scope(range.scope, report, style, out);
    print_details(range.scope, report.first_op, out);
  }
  print_summary(report, device, style, out);
  print_scope(device.scope, report, style, out);
  print_details(device, report.first_op, out);
}

void print_trust(const Report& report, const TextStyle& style, std::ostream& out) {
  out << fmt::format("\n{}\n", Paint(style).bold("Confidence"));
  for (const std::string& sentence : trust_sentences(report)) {
    out << fmt::format("  {}\n", wrapped(sentence, style.width, indent));
  }
}

void print_all(const Report& report, const TextStyle& style, std::ostream& out) {
  print_origin(report, style, out);
  print_health(report, style, out);
  for (const DeviceResult& device : report.devices) print_device(device, report, style, out);
  print_trust(report, style, out);
}

}  // namespace

void render_text(std::span<const Report> reports, const TextStyle& style, std::ostream& out) {
  std::ostringstream text;
  bool first = true;
  for (const Report& report : reports) {
    if (!first) text << '\n';
    first = false;
    if (style.by_line) {
      text << fmt::format("{}\n", Paint(style).bold(printable(report.trace.file)));
      print_health(report, style, text);
      print_by_line(report, style, text);
    } else if (style.by_function) {
      text << fmt::format("{}\n", Paint(style).bold(printable(report.trace.file)));
      print_health(report, style, text);
      print_by_function(report, style, text);
    } else if (style.verbose) {
      print_all(report, style, text);
    } else {
      print_screen(report, style, text);
    }
  }
  out << (style.unicode ? text.str() : in_ascii(text.str()));
}

}  // namespace lapscope::reports
