#include "tests/analyzer/examples/figures.h"

#include <algorithm>

#include "reports/words/scope_words.h"

namespace lapscope::test {
namespace {

using analyzer::DeviceResult;
using analyzer::GapResult;
using analyzer::ScopeResult;
using Figures = std::map<std::string, std::string>;

class Telling {
 public:
  Telling(std::int64_t unit, Figures& figures) : unit_(unit), figures_(figures) {}

  void device(const DeviceResult& device) {
    scope("", device.scope);
    for (const auto& range : device.ranges) {
      const bool is_bracket = range.kind == analyzer::ScopeKind::profiler;
      const std::string prefix = (is_bracket     ? "bracket"
                                  : range.steady ? "steady"
                                                 : range.name) +
                                 "/";
      if (range.steady) {
        figures_["steady"] = reports::words_of(range.steady->state).scope;
        figures_["before"] = rest(range.steady->before);
        figures_["after"] = rest(range.steady->after);
      }
      scope(prefix, range.scope);
      if (range.issuers) {
        const analyzer::Issuers& issuers = *range.issuers;
        figures_[prefix + "issued"] = "opener " + std::to_string(issuers.opener) + ", helpers " +
                                      std::to_string(issuers.helpers) + ", undecided " +
                                      std::to_string(issuers.undecided);
      }
      figures_[prefix + "instances"] = std::to_string(range.instances);
    }
    if (!steady_state_of(device)) figures_["steady"] = "the whole";
    for (const auto& engine : device.engines) {
      figures_["engine " + std::string(name_of(engine.engine))] =
          "busy " + time(engine.busy_ns) + ", ops " + std::to_string(engine.ops);
    }
    for (const auto& stream : device.streams) {
      figures_["stream " + std::to_string(stream.stream.id)] =
          "busy " + time(stream.busy_ns) + ", ops " + std::to_string(stream.ops) +
          ", self_overlap " + time(stream.self_overlap_ns);
    }
    for (const auto& pair : device.stream_overlaps) {
      figures_["streams " + std::to_string(pair.a.id) + " x " + std::to_string(pair.b.id)] =
          time(pair.ns);
    }
    for (const auto& pair : device.class_overlaps) {
      figures_["classes " + std::string(pair.a) + " x " + std::string(pair.b)] = time(pair.ns);
    }
    for (const auto& collective : device.collectives) {
      figures_["collective " + collective.name] =
          "sum " + time(collective.sum_ns) + ", hidden " + time(collective.hidden_ns);
    }
    series(device);
    iterations(device);
  }

 private:
  // Formats a time as a number of units, such as "2" or "1.5".
  std::string time(std::int64_t ns) const {
    const std::string whole = std::to_string(ns / unit_);
    return ns % unit_ == 0 ? whole : whole + "." + std::to_string(ns % unit_ * 10 / unit_);
  }

  std::string rest(const analyzer::Rest& rest) const {
    std::string text = time(rest.ns);
    for (const auto& part : rest.parts) {
      text += ", " + std::string(part.code) + " " + time(part.ns);
    }
    return text;
  }

  void scope(const std::string& prefix, const ScopeResult& scope) {
    const auto& [window, ops, impossible_ops, measures, states, gaps, causes, host_time, host_waits,
                 inputs, kernels, launches] = scope;
    for (const auto& result : measures) {
      figures_[prefix + std::string(result.measure->name)] = text_of(result.value, unit_);
    }
    figures_[prefix + "ops"] = std::to_string(ops);
    if (impossible_ops > 0) figures_[prefix + "left_out"] = std::to_string(impossible_ops);
    figures_[prefix + "window"] = time(window.start) + " to " + time(window.end);
    std::string& split = figures_[prefix + "states"];
    for (const auto& state : states) {
      std::string engines;
      for (const auto engine : analyzer::all_engines) {
        if (!state.has(engine)) continue;
        engines += (engines.empty() ? "" : "+") + std::string(name_of(engine));
      }
      split += (split.empty() ? "" : ", ") +
               (!engines.empty()      ? engines
                : state.is_other_work ? "other-work"
                                      : "idle") +
               " " + time(state.ns);
    }
    gap_texts(prefix, gaps);
  }

  void gap_texts(const std::string& prefix, const analyzer::GapsResult& gaps) {
    std::vector<GapResult> by_time = gaps.longest;
    std::sort(by_time.begin(), by_time.end(), [](const GapResult& a, const GapResult& b) {
      return a.interval.start < b.interval.start;
    });
    std::string& brief = figures_[prefix + "gaps"];
    std::string& details = figures_[prefix + "details"];
    for (const GapResult& gap : by_time) {
      const char* separator = brief.empty() ? "" : "; ";
      for (const auto& part : gap.parts) {
        const std::string cause = separator + std::string(code_of(part.cause));
        brief += cause + " " + time(part.interval.length());
        details += cause + (part.detail.empty() ? "" : " (" + part.detail + ")");
        separator = ", ";
      }
    }
    if (brief.empty()) brief = "none listed";
  }

  void series(const DeviceResult& device) {
    for (std::size_t i = 0; i < analyzer::measures().size(); ++i) {
      std::string& values = figures_["series " + std::string(analyzer::measures()[i]->name)];
      for (const auto& bin : device.series) {
        values += (values.empty() ? "" : "; ") + text_of(bin.values[i], unit_);
      }
    }
  }

  void iterations(const DeviceResult& device) {
    if (!device.iterations) return;
    const auto& loop = *device.iterations;
    figures_["iterations"] =
        std::to_string(loop.count) + " by " + reports::loop_of(loop.range, loop.sequence);
    for (std::size_t i = 0; i < analyzer::measures().size(); ++i) {
      const analyzer::Measure& measure = *analyzer::measures()[i];
      figures_["first " + std::string(measure.name)] = text_of(loop.first[i], unit_);
      if (measure.unit != analyzer::MeasureUnit::ns) continue;
      figures_["median " + std::string(measure.name)] =
          time(static_cast<std::int64_t>(loop.steady[i].median));
    }
  }

  const std::int64_t unit_;
  Figures& figures_;
};

}  // namespace

std::string text_of(const analyzer::Value& value, std::int64_t unit) {
  if (const auto* ns = std::get_if<analyzer::Nanoseconds>(&value)) {
    return std::to_string(ns->count / unit);
  }
  if (const auto* ratio = std::get_if<analyzer::Ratio>(&value)) {
    return std::to_string(ratio->numerator / unit) + "/" +
           std::to_string(ratio->denominator / unit);
  }
  return "n/a: " + std::string(std::get<analyzer::Undefined>(value).reason);
}

std::map<std::string, std::string> figures_of(const analyzer::Report& report, std::int64_t unit) {
  Figures figures;
  if (!report.devices.empty()) Telling(unit, figures).device(report.devices.front());
  std::string& health = figures["health"];
  for (const auto& row : report.health) {
    health +=
        (health.empty() ? "" : ", ") + std::string(code_of(row)) + " " + std::to_string(row.count);
  }
  if (health.empty()) health = "no rows";
  figures["trust"] = report.trust == analyzer::Trust::sound ? "sound" : "inconclusive";
  return figures;
}

}  // namespace lapscope::test
