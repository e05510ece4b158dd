#include "reports/renderer.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <sstream>

#include "reports/text/layout.h"
#include "reports/text/sections.h"
#include "reports/words/format.h"
#include "reports/words/verdict.h"

namespace lapscope::reports {
namespace {

using analyzer::DeviceResult;
using analyzer::Report;
using Align = Table::Align;

constexpr std::size_t indent = 2;

void print_origin(const Report& report, const TextStyle& style, std::ostream& out) {
  const auto& trace = report.trace;
  fmt::print(out, "{}\n", Paint(style).bold(printable(trace.file)));
  const std::size_t room = style.verbose ? printable(trace.command).size() : style.width - indent;
  if (!trace.command.empty()) fmt::print(out, "  {}\n", shortened(trace.command, room));
  if (!style.verbose) return;
  Table facts({Align::left, Align::left});
  if (!trace.created.empty()) {
    std::string recorded = fmt::format("{} by {}", trace.created, trace.recorder);
    if (!trace.driver.empty()) recorded += ", driver " + trace.driver;
    if (!trace.cupti.empty()) recorded += ", CUPTI " + trace.cupti;
    facts.add({"recorded", printable(recorded)});
  }
  facts.add({"format", printable(trace.format)});
  facts.print(out, indent);
}

// Above everything else, the worst first. What is only worth knowing takes little room.
void print_health(const Report& report, const TextStyle& style, std::ostream& out) {
  const Paint paint(style);
  bool apart = true;
  for (const auto& row : worst_first(report.health)) {
    const bool brief = row.severity == analyzer::Severity::info && !style.verbose;
    const std::string text = fmt::format("{}: {}", name_of(row.severity), printable(row.message));
    if (apart) out << '\n';
    fmt::print(out, "{}\n",
               paint.of(row.severity,
                        brief ? shortened(text, style.width) : wrapped(text, style.width, indent)));
    if (!row.remedy.empty() && !brief) {
      fmt::print(out, "  {}\n", wrapped(printable(row.remedy), style.width, indent));
    }
    apart = !brief;
  }
}

// A screen has no room for every table beside the list of the devices.
void print_device(const DeviceResult& device, bool is_only, const TextStyle& style,
                  std::ostream& out) {
  const Screen screen = is_only ? Screen::whole : Screen::below_devices;
  // Who asked for a range wants to know of it first.
  for (const auto& range : device.ranges) {
    print_summary(range, device, screen, style, out);
    if (!style.verbose) continue;
    print_causes(range.scope, style, out);
    out << '\n';
    print_details(range.scope, out);
  }
  // Of what a steady state is a part of, that says enough.
  if (steady_state_of(device) && !style.verbose) return;
  print_summary(device, style, screen, out);
  if (!style.verbose) return;
  print_causes(device.scope, style, out);
  out << '\n';
  print_details(device, out);
}

void print_trust(const Report& report, const TextStyle& style, std::ostream& out) {
  const Paint paint(style);
  fmt::print(out, "\n{}\n", paint.bold("how far to trust this"));
  const auto sentences = trust_sentences(report);
  if (style.verbose) {
    for (const std::string& sentence : sentences) {
      fmt::print(out, "  {}\n", wrapped(sentence, style.width, indent));
    }
  } else {
    fmt::print(out, "  {}\n",
               wrapped(fmt::format("{}", fmt::join(sentences, " ")), style.width, indent));
  }
  if (!style.verbose && !report.devices.empty()) {
    const bool is_part =
        std::any_of(report.devices.begin(), report.devices.end(),
                    [](const DeviceResult& device) { return steady_state_of(device) != nullptr; });
    const std::string more =
        is_part ? "--whole: all of the run; --verbose: every table; lapscope report: pages"
                : "--verbose: every measure and table with definitions; lapscope report: pages";
    fmt::print(out, "{}\n", paint.faint(wrapped(more, style.width, 0)));
  }
}

// The same report of one device only.
Report only(const DeviceResult& device, const Report& report) {
  Report one;
  one.health = report.health;
  one.trust = report.trust;
  one.devices = {device};
  return one;
}

void print_report(const Report& report, const TextStyle& style, std::ostream& out) {
  print_origin(report, style, out);
  print_health(report, style, out);
  if (report.devices.size() > 1 && !style.verbose) {
    const DeviceResult& shown = *device_to_show(report);
    print_devices(report, shown, style, out);
    print_device(shown, false, style, out);
    print_trust(only(shown, report), style, out);
    return;
  }
  for (const DeviceResult& device : report.devices) {
    print_device(device, report.devices.size() == 1, style, out);
  }
  print_trust(report, style, out);
}

}  // namespace

void render_text(std::span<const Report> reports, const TextStyle& style, std::ostream& out) {
  std::ostringstream text;
  bool first = true;
  for (const Report& report : reports) {
    if (!first) text << '\n';
    first = false;
    print_report(report, style, text);
  }
  out << (style.unicode ? text.str() : in_ascii(text.str()));
}

}  // namespace lapscope::reports
