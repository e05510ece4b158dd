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

Json device_json(const analyzer::DeviceResult& device) {
  Json measures = Json::object();
  for (const auto& result : device.measures) {
    measures[std::string(result.measure->name)] = measure_json(result);
  }
  Json states = Json::array();
  for (const auto& state : device.states) {
    states.push_back({{"compute", state.has(Engine::compute)},
                      {"h2d", state.has(Engine::h2d)},
                      {"d2h", state.has(Engine::d2h)},
                      {"other", state.has(Engine::other_copy)},
                      {"ns", state.ns}});
  }
  Json engines = Json::array();
  for (const auto& engine : device.engines) {
    engines.push_back(
        {{"name", name_of(engine.engine)}, {"busy_ns", engine.busy_ns}, {"ops", engine.ops}});
  }
  Json streams = Json::array();
  for (const auto& stream : device.streams) streams.push_back(stream_json(stream));
  return {{"id", device.id},
          {"name", device.name},
          {"window", {{"start", device.window.start}, {"end", device.window.end}}},
          {"ops", device.ops},
          {"measures", std::move(measures)},
          {"states", std::move(states)},
          {"engines", std::move(engines)},
          {"streams", std::move(streams)}};
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
