#include "reports/json/render_json.h"

#include <nlohmann/json.hpp>

namespace lapscope::reports {
namespace {

using analyzer::Engine;
using Json = nlohmann::ordered_json;

Json measure_json(const analyzer::MeasureResult& result) {
  Json json = {{"value", nullptr},
               {"unit", result.measure->unit == analyzer::MeasureUnit::ns ? "ns" : "ratio"}};
  if (const auto* ns = std::get_if<analyzer::Nanoseconds>(&result.value)) {
    json["value"] = ns->count;
  } else if (const auto* ratio = std::get_if<analyzer::Ratio>(&result.value)) {
    json["value"] = ratio->value();
  } else {
    json["reason"] = std::get<analyzer::Undefined>(result.value).reason;
  }
  return json;
}

Json stream_json(const analyzer::StreamResult& result) {
  Json json = {{"id", result.stream.id}, {"kind", name_of(result.stream.kind)}};
  json["priority"] = result.stream.priority ? Json(*result.stream.priority) : Json(nullptr);
  json["ops"] = result.ops;
  json["busy_ns"] = result.busy_ns;
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
          {"parts", std::move(parts)}};
}

Json gaps_json(const analyzer::GapsResult& gaps) {
  Json by_cause = Json::object();
  for (std::size_t cause = 0; cause < gaps.by_cause.size(); ++cause) {
    if (gaps.by_cause[cause] == 0) continue;
    by_cause[std::string(code_of(static_cast<analyzer::GapCause>(cause)))] = gaps.by_cause[cause];
  }
  if (gaps.short_ns > 0) by_cause["short"] = gaps.short_ns;
  Json top = Json::array();
  for (const auto& gap : gaps.longest) top.push_back(gap_json(gap));
  return {{"count", gaps.count},
          {"total_ns", gaps.total_ns},
          {"short_count", gaps.short_count},
          {"by_cause", std::move(by_cause)},
          {"top", std::move(top)}};
}

// What a whole device and a range have in common.
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
                      {"ns", state.ns}});
  }
  return {{"window", {{"start", scope.window.start}, {"end", scope.window.end}}},
          {"ops", scope.ops},
          {"measures", std::move(measures)},
          {"states", std::move(states)},
          {"gaps", gaps_json(scope.gaps)}};
}

Json device_json(const analyzer::DeviceResult& device) {
  Json engines = Json::array();
  for (const auto& engine : device.engines) {
    engines.push_back(
        {{"name", name_of(engine.engine)}, {"busy_ns", engine.busy_ns}, {"ops", engine.ops}});
  }
  Json streams = Json::array();
  for (const auto& stream : device.streams) streams.push_back(stream_json(stream));
  Json overlaps = Json::array();
  for (const auto& overlap : device.stream_overlaps) {
    overlaps.push_back({{"a", overlap.a}, {"b", overlap.b}, {"ns", overlap.ns}});
  }
  Json groups = Json::array();
  for (const auto& group : device.groups) {
    groups.push_back({{"name", group.name},
                      {"engine", name_of(group.engine)},
                      {"ops", group.ops},
                      {"sum_ns", group.sum_ns},
                      {"bytes", group.bytes}});
  }
  Json ranges = Json::array();
  for (const auto& range : device.ranges) {
    Json json = {{"name", range.name}, {"instances", range.instances}};
    json.update(scope_json(range.scope));
    ranges.push_back(std::move(json));
  }
  Json json = {{"id", device.id}, {"name", device.name}};
  json.update(scope_json(device.scope));
  json["engines"] = std::move(engines);
  json["streams"] = std::move(streams);
  json["stream_overlaps"] = std::move(overlaps);
  json["op_groups"] = std::move(groups);
  json["ranges"] = std::move(ranges);
  return json;
}

Json report_json(const analyzer::Report& report) {
  Json health = Json::array();
  for (const auto& row : report.health) {
    health.push_back({{"code", row.code},
                      {"severity", name_of(row.severity)},
                      {"count", row.count},
                      {"message", row.message},
                      {"remedy", row.remedy}});
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
                 {"health", std::move(health)}}}};
  if (report.trust == analyzer::Trust::inconclusive) {
    json["verdict"] = "inconclusive";
  } else {
    json["verdict"] = nullptr;
    json["verdict_reason"] = "causes of serialization are not analyzed";
  }
  json["devices"] = std::move(devices);
  return json;
}

}  // namespace

void render_json(std::span<const analyzer::Report> reports, std::ostream& out) {
  Json json = Json::array();
  for (const auto& report : reports) json.push_back(report_json(report));
  const Json& shown = reports.size() == 1 ? json.front() : json;
  // Names come from traced programs and need not be valid UTF-8; JSON must be.
  out << shown.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace lapscope::reports
