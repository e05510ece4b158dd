#include <algorithm>
#include <nlohmann/json.hpp>

#include "analyzer/model/harmless_text.h"
#include "reports/gate/gate_renderer.h"
#include "reports/gate/gate_words.h"

namespace lapscope::reports {
namespace {

using Json = nlohmann::ordered_json;

Json optional_json(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json place_json(const analyzer::Place& place) {
  if (place.file.empty()) return nullptr;
  return {{"file", place.file}, {"line", place.line}, {"column", place.column}};
}

Json spread_json(const std::optional<analyzer::Repeats>& value) {
  if (!value) return nullptr;
  return {{"runs", value->count},
          {"least", value->least},
          {"low", value->low},
          {"high", value->high},
          {"most", value->most}};
}

Json waiver_json(const std::optional<analyzer::Waiver>& waiver) {
  if (!waiver) return nullptr;
  return {{"reason", waiver->reason}, {"until", analyzer::text_of(waiver->until)}};
}

std::string_view kind_of(const analyzer::JudgedScope& scope) {
  if (scope.steady) return name_of(scope.steady->by);
  if (scope.range.empty()) return name_of(analyzer::GateScope::whole);
  return name_of(scope.kind);
}

bool is_of_whole(const analyzer::JudgedGate& gate) {
  return std::any_of(gate.scopes.begin(), gate.scopes.end(), [](const auto& scope) {
    return kind_of(scope) == name_of(analyzer::GateScope::whole);
  });
}

Json scopes_json(const analyzer::JudgedGate& gate) {
  Json scopes = Json::array();
  for (const analyzer::JudgedScope& scope : gate.scopes) {
    scopes.push_back({{"device", scope.device},
                      {"kind", kind_of(scope)},
                      {"source", scope.steady ? scope.words.scope : scope.range},
                      {"default", scope.is_default}});
  }
  return scopes;
}

Json judgement_json(const analyzer::Judgement& judgement) {
  Json because = Json::array();
  for (const auto& explanation : judgement.because) {
    because.push_back({{"code", explanation.code},
                       {"share", explanation.share},
                       {"sentence", words_of(explanation).sentence},
                       {"fix", words_of(explanation).fix},
                       {"at", nullptr}});
    if (const auto& at = explanation.at) {
      because.back()["at"] = {{"file", at->file}, {"line", at->line}, {"function", at->function}};
    }
  }
  const auto& value = judgement.value;
  return {{"subject", judgement.subject},
          {"condition", judgement.condition},
          {"outcome", name_of(judgement.outcome)},
          {"unit", judgement.unit == analyzer::MeasureUnit::ns ? "ns" : "ratio"},
          {"sense", judgement.sense == analyzer::Sense::at_least ? "min" : "max"},
          {"value", value ? Json(value->median) : Json(nullptr)},
          {"spread", spread_json(value)},
          {"bound", optional_json(judgement.bound)},
          {"margin", optional_json(judgement.margin)},
          {"baseline", optional_json(judgement.baseline)},
          {"reason", sentence_of(judgement.reason)},
          {"waiver", waiver_json(judgement.waiver)},
          {"because", std::move(because)},
          {"place", place_json(judgement.place)}};
}

}  // namespace

void render_gate_json(const analyzer::GateReport& report, const TextStyle&, std::ostream& out) {
  Json gates = Json::array();
  for (const auto& gate : report.gates) {
    Json judgements = Json::array();
    for (const auto& judgement : gate.judgements) judgements.push_back(judgement_json(judgement));
    gates.push_back({{"name", gate.name},
                     {"place", place_json(gate.place)},
                     {"files", gate.files},
                     {"baseline", gate.baseline.empty() ? Json(nullptr) : Json(gate.baseline)},
                     {"whole", is_of_whole(gate)},
                     {"scopes", scopes_json(gate)},
                     {"notes", sentences_of(gate.notes)},
                     {"judgements", std::move(judgements)}});
  }
  const analyzer::OutcomeCounts counts = counts_of(report);
  const Json json = {{"schema", "lapscope-gate/1"},
                     {"tool", {{"version", report.tool_version}}},
                     {"verdict", name_of(verdict_of(report))},
                     {"counts",
                      {{"passed", counts.passed},
                       {"waived", counts.waived},
                       {"failed", counts.failed},
                       {"inconclusive", counts.inconclusive}}},
                     {"gates", std::move(gates)}};
  out << analyzer::harmless_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) << '\n';
}

}  // namespace lapscope::reports
