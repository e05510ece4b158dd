#include "analyzer/summary/summary_file.h"

#include <nlohmann/json.hpp>

#include "analyzer/model/harmless_text.h"

namespace lapscope::analyzer {
namespace {

using Json = nlohmann::ordered_json;

Json measures_json(const ScopeSummary& scope) {
  Json json = Json::object();
  for (const MeasureSummary& entry : scope.measures) {
    Json& value = json[std::string(entry.measure->name)];
    if (!entry.value) {
      value = entry.reason;
    } else if (entry.measure->unit == MeasureUnit::ns) {
      value = static_cast<std::int64_t>(*entry.value);
    } else {
      value = *entry.value;
    }
  }
  return json;
}

Json place_json(const std::optional<SourcePlace>& place) {
  if (!place) return nullptr;
  return {{"file", place->file}, {"line", place->line}, {"function", place->function}};
}

Json causes_json(const std::optional<CausesSummary>& causes) {
  if (!causes) return nullptr;
  Json blame = Json::array();
  for (const BlameSummary& row : causes->blame) {
    blame.push_back({{"code", row.code},
                     {"kind", row.kind == BlameKind::work ? "work" : "wait"},
                     {"ns", row.ns}});
  }
  Json findings = Json::array();
  for (const FindingSummary& finding : causes->findings) {
    findings.push_back({{"code", finding.code},
                        {"what", finding.what},
                        {"saving_ns", finding.saving_ns},
                        {"saving_share", finding.saving_share},
                        {"occurrences", finding.occurrences},
                        {"explanation", finding.explanation},
                        {"fix", finding.fix},
                        {"at", place_json(finding.at)}});
  }
  Json json = {{"replay_error", causes->replay_error},
               {"model_error", causes->model_error},
               {"unexplained_share", causes->unexplained_share},
               {"blame", std::move(blame)},
               {"findings", std::move(findings)},
               {"savings", causes->savings},
               {"lacking", causes->lacking},
               {"doubted", causes->doubted}};
  if (causes->possible) json["possible"] = *causes->possible;
  return json;
}

Json scope_json(const ScopeSummary& scope) {
  Json kernels = Json::array();
  for (const KernelResult& kernel : scope.kernels) {
    kernels.push_back({{"name", kernel.name},
                       {"ops", kernel.ops},
                       {"sum_ns", kernel.sum_ns},
                       {"shared_ns", kernel.shared_ns}});
  }
  Json json = {{"kind", name_of(scope.kind)},
               {"name", scope.name},
               {"instances", scope.instances},
               {"ops", scope.ops},
               {"measures", measures_json(scope)},
               {"gaps",
                {{"count", scope.gaps.count},
                 {"total_ns", scope.gaps.total_ns},
                 {"by_cause", scope.gaps.by_cause}}},
               {"causes", causes_json(scope.causes)},
               {"kernels", std::move(kernels)}};
  if (const auto& steady = scope.steady) {
    json["source"] = scope.words.scope;
    json["steady"] = {{"by", name_of(steady->by)},        {"source", scope.words.source},
                      {"instances", steady->instances},   {"warm_up", steady->warm_up},
                      {"work_share", steady->work_share}, {"range", steady->range}};
  }
  return json;
}

Json provenance_json(const std::optional<Provenance>& provenance) {
  if (!provenance) return nullptr;
  return {{"identity", provenance->identity},
          {"recorded", provenance->recorded},
          {"communication", provenance->communication},
          {"range_threads", name_of(provenance->range_threads)}};
}

Json run_json(const RunSummary& run) {
  Json health = Json::array();
  for (const HealthSummary& row : run.health) {
    health.push_back({{"code", row.code},
                      {"severity", name_of(row.severity)},
                      {"count", row.count},
                      {"message", row.words.message},
                      {"remedy", row.words.remedy}});
  }
  Json devices = Json::array();
  for (const DeviceSummary& device : run.devices) {
    Json scopes = Json::array();
    for (const ScopeSummary& scope : device.scopes) scopes.push_back(scope_json(scope));
    devices.push_back({{"id", device.id},
                       {"name", device.name},
                       {"sought_steady", device.sought_steady},
                       {"scopes", std::move(scopes)}});
  }
  Json json = {{"tool", {{"version", run.tool_version}}},
               {"trace",
                {{"file", run.trace.file},
                 {"format", run.trace.format},
                 {"command", run.trace.command},
                 {"created", run.trace.created},
                 {"driver", run.trace.driver},
                 {"cupti", run.trace.cupti},
                 {"recorder", run.trace.recorder}}},
               {"health", std::move(health)},
               {"trust", run.trust == Trust::sound ? "sound" : "inconclusive"},
               {"provenance", provenance_json(run.provenance)},
               {"devices", std::move(devices)}};
  if (!run.trace.rank.empty()) json["trace"]["rank"] = run.trace.rank;
  return json;
}

}  // namespace

void write_summary(std::span<const RunSummary> runs, std::ostream& out) {
  Json all = Json::array();
  for (const RunSummary& run : runs) all.push_back(run_json(run));
  const Json json = {{"schema", summary_schema}, {"runs", std::move(all)}};
  // Each value has its own line. So users can compare the lines of the file when they renew a
  // baseline.
  out << harmless_json(json.dump(1, ' ', false, Json::error_handler_t::replace)) << '\n';
}

}  // namespace lapscope::analyzer
