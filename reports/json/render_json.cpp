#include "analyzer/analysis/verdict.h"
#include "reports/renderer.h"

#include <nlohmann/json.hpp>

#include "analyzer/model/harmless_text.h"
#include "reports/json/scope_json.h"
#include "reports/words/health_words.h"
#include "reports/words/scope_words.h"
#include "reports/words/verdict_words.h"

namespace lapscope::reports {
namespace {

using analyzer::Engine;
using Json = nlohmann::ordered_json;

Json value_json(const analyzer::Value& value) {
  if (const auto* ns = std::get_if<analyzer::Nanoseconds>(&value)) return ns->count;
  if (const auto* ratio = std::get_if<analyzer::Ratio>(&value)) return ratio->value();
  return nullptr;
}

Json optional_json(const std::optional<std::int64_t>& value) {
  return value ? Json(*value) : Json(nullptr);
}

const char* unit_of(const analyzer::Measure& measure) {
  return measure.unit == analyzer::MeasureUnit::ns ? "ns" : "ratio";
}

Json measure_json(const analyzer::MeasureResult& result) {
  Json json = {{"value", value_json(result.value)}, {"unit", unit_of(*result.measure)}};
  if (const auto* undefined = std::get_if<analyzer::Undefined>(&result.value)) {
    json["reason"] = undefined->reason;
  }
  return json;
}

// Returns values by name. `values` are in the order of measures().
Json values_json(const std::vector<analyzer::Value>& values) {
  Json json = Json::object();
  for (std::size_t i = 0; i < values.size(); ++i) {
    json[std::string(analyzer::measures()[i]->name)] = value_json(values[i]);
  }
  return json;
}

Json series_json(const std::vector<analyzer::SeriesBin>& series) {
  Json json = Json::array();
  for (const auto& bin : series) {
    json.push_back({{"start", bin.window.start},
                    {"end", bin.window.end},
                    {"ops", bin.ops},
                    {"measures", values_json(bin.values)}});
  }
  return json;
}

Json spread_json(const analyzer::Spread& spread) {
  Json json = {{"unit", unit_of(*spread.measure)}, {"iterations", spread.defined}};
  const auto number = [&spread](double value) -> Json {
    if (spread.defined == 0) return nullptr;
    if (spread.measure->unit == analyzer::MeasureUnit::ns) return static_cast<std::int64_t>(value);
    return value;
  };
  json["median"] = number(spread.median);
  json["quartiles"] = {number(spread.quartile1), number(spread.quartile3)};
  json["range"] = {number(spread.least), number(spread.most)};
  return json;
}

Json iterations_json(const std::optional<analyzer::IterationsResult>& iterations) {
  if (!iterations) return nullptr;
  Json steady = Json::object();
  for (const auto& spread : iterations->steady) {
    steady[std::string(spread.measure->name)] = spread_json(spread);
  }
  return {{"source", loop_of(iterations->range, iterations->sequence)},
          {"count", iterations->count},
          {"ops_per_iteration", iterations->ops_per_iteration},
          {"first", values_json(iterations->first)},
          {"steady", std::move(steady)}};
}

Json stream_json(const analyzer::StreamResult& result) {
  Json json = {
      {"id", result.stream.id}, {"pid", result.stream.pid}, {"kind", name_of(result.stream.kind)}};
  json["priority"] = result.stream.priority ? Json(*result.stream.priority) : Json(nullptr);
  json["ops"] = result.ops;
  json["busy_ns"] = result.busy_ns;
  json["self_overlap_ns"] = result.self_overlap_ns;
  return json;
}

Json gap_json(const analyzer::GapResult& gap) {
  Json parts = Json::array();
  for (const auto& part : gap.parts) {
    parts.push_back(
        {{"code", code_of(part.cause)}, {"ns", part.interval.length()}, {"detail", part.detail}});
  }
  return {{"start", gap.interval.start},
          {"end", gap.interval.end},
          {"next", gap.next},
          {"thread", gap.thread},
          {"parts", gap.parts.empty() ? Json(nullptr) : std::move(parts)}};
}

Json gaps_json(const analyzer::GapsResult& gaps) {
  Json by_cause = Json::object();
  for (const auto& [code, ns] : times_of(gaps)) by_cause[std::string(code)] = ns;
  Json top = Json::array();
  for (const auto& gap : gaps.longest) top.push_back(gap_json(gap));
  Json json = {{"count", gaps.count},
               {"total_ns", gaps.total_ns},
               {"by_cause", gaps.by_cause ? std::move(by_cause) : Json(nullptr)}};
  if (!gaps.by_cause) json["reason"] = "causes were not looked for";
  json["top"] = std::move(top);
  return json;
}

// Returns the JSON members that a whole device and a range have in common.
Json scope_json(const analyzer::ScopeResult& scope) {
  Json measures = Json::object();
  for (const auto& result : scope.measures) {
    measures[std::string(result.measure->name)] = measure_json(result);
  }
  Json states = Json::array();
  for (const auto& state : scope.states) {
    states.push_back({{"compute", state.has(Engine::compute)},
                      {"h2d", state.has(Engine::h2d)},
                      {"d2h", state.has(Engine::d2h)},
                      {"other", state.has(Engine::other_copy)},
                      {"comm", state.has(Engine::communication)},
                      {"other_work", state.is_other_work},
                      {"ns", state.ns}});
  }
  Json json = {{"window", {{"start", scope.window.start}, {"end", scope.window.end}}},
               {"ops", scope.ops}};
  make_room(json);
  json["measures"] = std::move(measures);
  json["states"] = std::move(states);
  json["gaps"] = gaps_json(scope.gaps);
  if (scope.impossible_ops > 0) json["left_out"] = scope.impossible_ops;
  const analyzer::Verdict verdict = verdict_of(scope);
  json["verdict"] = verdict == analyzer::Verdict::unknown ? Json(nullptr) : Json(name_of(verdict));
  append(json, causes_json(scope.causes));
  if (scope.host_time) json["host_time"] = host_time_json(*scope.host_time);
  return json;
}

Json issuers_json(const analyzer::Issuers& issuers) {
  return {{"opener", issuers.opener},
          {"helpers", issuers.helpers},
          {"helper_threads", issuers.helper_threads},
          {"undecided", issuers.undecided},
          {"undecided_threads", issuers.undecided_threads}};
}

Json bare_json(const analyzer::BareWall& bare) {
  Json json = {{"recorded_ns", bare.recorded_ns}};
  if (!bare.reason.empty()) {
    json["median_ns"] = nullptr;
    json["reason"] = bare.reason;
    return json;
  }
  json["median_ns"] = bare.median_ns;
  json["range_ns"] = {bare.least_ns, bare.most_ns};
  json["runs"] = bare.runs;
  json["ended_synchronized"] = bare.ended_synchronized;
  return json;
}

Json engines_json(const std::vector<analyzer::EngineResult>& engines) {
  Json json = Json::array();
  for (const auto& engine : engines) {
    json.push_back(
        {{"name", name_of(engine.engine)}, {"busy_ns", engine.busy_ns}, {"ops", engine.ops}});
  }
  return json;
}

Json rest_json(const analyzer::Rest& rest) {
  Json by_cause = Json::object();
  for (const auto& part : rest.parts) by_cause[std::string(part.code)] = part.ns;
  return {{"ns", rest.ns}, {"by_cause", std::move(by_cause)}};
}

Json steady_json(const analyzer::RangeResult* range) {
  if (!range) return nullptr;
  const analyzer::SteadyState& state = range->steady->state;
  Json json = {{"by", name_of(state.by)},
               {"words", words_of(state).scope},
               {"instances", state.instances},
               {"warm_up", state.warm_up},
               {"work_share", state.work_share},
               {"before", rest_json(range->steady->before)},
               {"after", rest_json(range->steady->after)}};
  if (range->issuers) json["issuers"] = issuers_json(*range->issuers);
  if (range->bare) json["bare"] = bare_json(*range->bare);
  append(json, scope_json(range->scope));
  json["engines"] = engines_json(range->engines);
  return json;
}

Json device_json(const analyzer::DeviceResult& device) {
  Json streams = Json::array();
  for (const auto& stream : device.streams) streams.push_back(stream_json(stream));
  Json overlaps = Json::array();
  for (const auto& overlap : device.stream_overlaps) {
    overlaps.push_back({{"a", overlap.a.id},
                        {"b", overlap.b.id},
                        {"a_pid", overlap.a.pid},
                        {"b_pid", overlap.b.pid},
                        {"ns", overlap.ns}});
  }
  Json classes = Json::array();
  for (const auto& overlap : device.class_overlaps) {
    classes.push_back({{"a", overlap.a}, {"b", overlap.b}, {"ns", overlap.ns}});
  }
  Json collectives = Json::array();
  for (const auto& collective : device.collectives) {
    collectives.push_back({{"name", collective.name},
                           {"ops", collective.ops},
                           {"sum_ns", collective.sum_ns},
                           {"hidden_ns", collective.hidden_ns}});
  }
  Json groups = Json::array();
  for (const auto& group : device.groups) {
    groups.push_back({{"name", group.name},
                      {"engine", name_of(group.engine)},
                      {"ops", group.ops},
                      {"sum_ns", group.sum_ns},
                      {"bytes", group.bytes},
                      {"bytes_per_s", optional_json(group.bytes_per_s)},
                      {"best_bytes_per_s", optional_json(group.best_bytes_per_s)},
                      {"link_bytes_per_s", optional_json(group.link_bytes_per_s)}});
  }
  Json ranges = Json::array();
  for (const auto& range : device.ranges) {
    if (range.steady) continue;
    Json json = {
        {"kind", name_of(range.kind)}, {"name", range.name}, {"instances", range.instances}};
    if (range.issuers) json["issuers"] = issuers_json(*range.issuers);
    if (range.bare) json["bare"] = bare_json(*range.bare);
    append(json, scope_json(range.scope));
    ranges.push_back(std::move(json));
  }
  Json json = {{"id", device.id}, {"name", device.name}};
  append(json, scope_json(device.scope));
  json["steady"] = steady_json(steady_state_of(device));
  json["engines"] = engines_json(device.engines);
  json["streams"] = std::move(streams);
  json["stream_overlaps"] = std::move(overlaps);
  json["class_overlaps"] = std::move(classes);
  json["collectives"] = std::move(collectives);
  json["op_groups"] = std::move(groups);
  json["ranges"] = std::move(ranges);
  json["series"] = series_json(device.series);
  json["iterations"] = iterations_json(device.iterations);
  return json;
}

Json report_json(const analyzer::Report& report) {
  Json health = Json::array();
  for (const auto& row : worst_first(report.health)) {
    health.push_back({{"code", code_of(row)},
                      {"severity", name_of(severity_of(row))},
                      {"count", row.count},
                      {"message", message_of(row)},
                      {"remedy", remedy_of(row)}});
  }
  Json devices = Json::array();
  for (const auto& device : report.devices) devices.push_back(device_json(device));
  Json json = {{"schema", "lapscope-report/1"},
               {"tool", {{"version", report.tool_version}}},
               {"trace",
                {{"file", report.trace.file},
                 {"format", report.trace.format},
                 {"command", report.trace.command},
                 {"created", report.trace.created},
                 {"driver", report.trace.driver},
                 {"cupti", report.trace.cupti},
                 {"recorder", report.trace.recorder},
                 {"rank", report.trace.rank},
                 {"health", std::move(health)}}}};
  const analyzer::Verdict verdict = verdict_of(report);
  if (verdict == analyzer::Verdict::unknown) {
    json["verdict"] = nullptr;
    json["verdict_reason"] = unknown_reason;
  } else {
    json["verdict"] = name_of(verdict);
  }
  json["devices"] = std::move(devices);
  return json;
}

}  // namespace

void render_json(std::span<const analyzer::Report> reports, std::ostream& out) {
  Json json = Json::array();
  for (const auto& report : reports) json.push_back(report_json(report));
  const Json& shown = reports.size() == 1 ? json.front() : json;
  // Names come from traced programs and may be invalid UTF-8, but JSON must be valid.
  out << analyzer::harmless_json(shown.dump(2, ' ', false, Json::error_handler_t::replace)) << '\n';
}

}  // namespace lapscope::reports
