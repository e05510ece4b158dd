#include "reports/text/render_text.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "reports/text/format.h"
#include "reports/text/table.h"

namespace lapscope::reports {
namespace {

using analyzer::DeviceResult;
using analyzer::Engine;
using analyzer::Report;
using Align = Table::Align;

constexpr std::size_t indent = 2;

std::string_view word_of(Engine engine) {
  switch (engine) {
    case Engine::compute:
      return "compute";
    case Engine::h2d:
      return "copy to device";
    case Engine::d2h:
      return "copy to host";
    case Engine::other_copy:
      return "other copies";
  }
  return "";
}

std::string words_of(const analyzer::StateTime& state) {
  std::string words;
  for (const Engine engine : analyzer::all_engines) {
    if (!state.has(engine)) continue;
    if (!words.empty()) words += " + ";
    words += word_of(engine);
  }
  return words.empty() ? "idle" : words;
}

void print_origin(const Report& report, std::ostream& out) {
  const auto& trace = report.trace;
  fmt::print(out, "{}\n", printable(trace.file));
  Table facts({Align::left, Align::left});
  if (!trace.command.empty()) facts.add({"command", printable(trace.command)});
  if (!trace.created.empty()) {
    std::string recorded = fmt::format("{} by {}", trace.created, trace.recorder);
    if (!trace.driver.empty()) recorded += ", driver " + trace.driver;
    if (!trace.cupti.empty()) recorded += ", CUPTI " + trace.cupti;
    facts.add({"recorded", printable(recorded)});
  }
  facts.add({"format", trace.format});
  facts.print(out, indent);
}

void print_health(const Report& report, std::ostream& out) {
  for (const auto& row : report.health) {
    fmt::print(out, "\n{}: {}\n", name_of(row.severity), printable(row.message));
    if (!row.remedy.empty()) fmt::print(out, "  {}\n", row.remedy);
  }
  if (report.trust == analyzer::Trust::inconclusive) {
    fmt::print(out, "\ninconclusive: the trace is not complete enough to rely on.\n");
  }
}

void print_measures(const DeviceResult& device, std::ostream& out) {
  Table table({Align::left, Align::right, Align::left});
  for (const auto& result : device.measures) {
    const auto* undefined = std::get_if<analyzer::Undefined>(&result.value);
    table.add({std::string(result.measure->name), format_value(result.value),
               undefined ? undefined->reason : std::string(result.measure->definition)});
  }
  table.print(out, indent);
}

void print_states(const DeviceResult& device, std::ostream& out) {
  fmt::print(out, "\n  active at the same time\n");
  Table table({Align::left, Align::right, Align::right});
  for (const auto& state : device.states) {
    table.add(
        {words_of(state), format_ns(state.ns), format_share(state.ns, device.window.length())});
  }
  table.print(out, 2 * indent);
}

void print_engines(const DeviceResult& device, std::ostream& out) {
  fmt::print(out, "\n  engines\n");
  Table table({Align::left, Align::right, Align::right, Align::left});
  for (const auto& engine : device.engines) {
    table.add({std::string(word_of(engine.engine)), format_ns(engine.busy_ns),
               format_share(engine.busy_ns, device.window.length()),
               fmt::format("{} ops", engine.ops)});
  }
  table.print(out, 2 * indent);
}

void print_streams(const DeviceResult& device, std::ostream& out) {
  fmt::print(out, "\n  streams\n");
  Table table({Align::right, Align::left, Align::right, Align::right, Align::left});
  for (const auto& result : device.streams) {
    table.add({fmt::format("{}", result.stream.id), std::string(name_of(result.stream.kind)),
               format_ns(result.busy_ns), format_share(result.busy_ns, device.window.length()),
               fmt::format("{} ops", result.ops)});
  }
  table.print(out, 2 * indent);
}

}  // namespace

void render_text(std::span<const Report> reports, std::ostream& out) {
  bool first = true;
  for (const Report& report : reports) {
    if (!first) fmt::print(out, "\n");
    first = false;
    print_origin(report, out);
    print_health(report, out);
    for (const DeviceResult& device : report.devices) {
      fmt::print(out, "\ndevice {}{}: {} ops\n", device.id,
                 device.name.empty() ? "" : " (" + printable(device.name) + ")", device.ops);
      print_measures(device, out);
      print_states(device, out);
      print_engines(device, out);
      print_streams(device, out);
    }
  }
}

}  // namespace lapscope::reports
