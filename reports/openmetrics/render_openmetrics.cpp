#include <fmt/format.h>

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "reports/renderer.h"
#include "reports/words/format.h"

// The format is specified in
// https://github.com/prometheus/OpenMetrics/blob/v1.0.0/specification/OpenMetrics.md
namespace lapscope::reports {
namespace {

using analyzer::Measure;
using analyzer::MeasureUnit;
using analyzer::ScopeResult;

// Escapes the value of a label for use between quotation marks.
std::string label(std::string_view text) {
  std::string escaped;
  for (const char c : printable(text)) {
    if (c == '\\' || c == '"') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string seconds(analyzer::Ns ns) { return fmt::format("{}", static_cast<double>(ns) / 1e9); }

// A scope, and labels that distinguish it from all other scopes.
struct Labelled {
  std::string labels;
  const ScopeResult* scope = nullptr;
};

std::vector<Labelled> scopes_of(std::span<const analyzer::Report> reports) {
  std::vector<Labelled> scopes;
  for (const analyzer::Report& report : reports) {
    for (const analyzer::DeviceResult& device : report.devices) {
      const auto add = [&](analyzer::ScopeKind kind, std::string_view name,
                           const ScopeResult& scope) {
        scopes.push_back(
            {fmt::format(R"(trace="{}",device="{}",scope_kind="{}",scope="{}")",
                         label(report.trace.file), device.id, name_of(kind), label(name)),
             &scope});
      };
      const bool is_all = !report.window;
      add(is_all ? analyzer::ScopeKind::device : analyzer::ScopeKind::window, "", device.scope);
      for (const analyzer::RangeResult& range : device.ranges) {
        add(range.kind, range.name, range.scope);
      }
    }
  }
  return scopes;
}

// Returns the value of a measure in s, or as a ratio. Returns nothing if the measure has no value.
std::optional<std::string> value_of(const Measure& measure, const ScopeResult& scope) {
  for (const analyzer::MeasureResult& result : scope.measures) {
    if (result.measure != &measure) continue;
    if (const auto* ns = std::get_if<analyzer::Nanoseconds>(&result.value)) {
      return seconds(ns->count);
    }
    if (const auto* ratio = std::get_if<analyzer::Ratio>(&result.value)) {
      return fmt::format("{}", ratio->value());
    }
  }
  return std::nullopt;
}

void write_measure(const Measure& measure, const std::vector<Labelled>& scopes, std::ostream& out) {
  const bool is_time = measure.unit == MeasureUnit::ns;
  const std::string name = fmt::format("lapscope_{}{}", measure.name, is_time ? "_seconds" : "");
  std::string samples;
  for (const Labelled& scope : scopes) {
    const auto value = value_of(measure, *scope.scope);
    if (value) samples += fmt::format("{}{{{}}} {}\n", name, scope.labels, *value);
  }
  if (samples.empty()) return;
  out << fmt::format("# TYPE {} gauge\n{}# HELP {} {}\n{}", name,
                     is_time ? fmt::format("# UNIT {} seconds\n", name) : "", name,
                     label(measure.definition), samples);
}

void write_findings(const std::vector<Labelled>& scopes, std::ostream& out) {
  constexpr std::string_view name = "lapscope_finding_saving_seconds";
  out << fmt::format("# TYPE {0} gauge\n# UNIT {0} seconds\n# HELP {0} {1}\n", name,
                     "what the fix of a finding is predicted to save of the wall time");
  for (const Labelled& scope : scopes) {
    if (!scope.scope->causes) continue;
    for (const analyzer::FindingResult& finding : scope.scope->causes->findings) {
      out << fmt::format("{}{{{},code=\"{}\"}} {}\n", name, scope.labels, finding.code,
                         seconds(finding.saving_ns));
    }
  }
}

void write_trust(std::span<const analyzer::Report> reports, std::ostream& out) {
  out << "# TYPE lapscope_conclusive gauge\n"
         "# HELP lapscope_conclusive 0: something is wrong with the recording, and no other figure "
         "of the trace can be relied on\n";
  for (const analyzer::Report& report : reports) {
    out << fmt::format("lapscope_conclusive{{trace=\"{}\"}} {}\n", label(report.trace.file),
                       report.trust == analyzer::Trust::sound ? 1 : 0);
  }
}

}  // namespace

void render_openmetrics(std::span<const analyzer::Report> reports, std::ostream& out) {
  const std::vector<Labelled> scopes = scopes_of(reports);
  write_trust(reports, out);
  for (const Measure* measure : analyzer::measures()) write_measure(*measure, scopes, out);
  for (const Measure* measure : analyzer::measures_of_some()) write_measure(*measure, scopes, out);
  write_findings(scopes, out);
  out << "# EOF\n";
}

}  // namespace lapscope::reports
