#include <nlohmann/json.hpp>

#include "analyzer/model/harmless_text.h"
#include "reports/json/scope_json.h"
#include "reports/whatif/render_whatif.h"
#include "reports/words/accuracy.h"
#include "reports/words/call_sites.h"
#include "reports/words/scope_words.h"

namespace lapscope::reports {
namespace {

using Json = nlohmann::ordered_json;

Json number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json number(const analyzer::Value& value) {
  const auto* ratio = std::get_if<analyzer::Ratio>(&value);
  return ratio ? Json(ratio->value()) : Json(nullptr);
}

Json json_of(const analyzer::WhatIfScope& scope) {
  Json json;
  json["device"] = scope.device;
  json["kind"] = name_of(scope.kind);
  const std::string range = scope.steady ? words_of(*scope.steady).scope : scope.range;
  json["range"] = range.empty() ? Json(nullptr) : Json(range);
  json["wall_ns"] = scope.wall_ns;
  json["overlap_ratio"] = number(scope.overlap_ratio);
  json["replay"] = replay_json(scope.replay);
  json["unexplained_share"] = scope.unexplained_share;
  json["conclusive"] = scope.is_conclusive();
  json["predicted"] = {{"wall_ns", scope.predicted.wall_ns},
                       {"least_wall_ns", scope.predicted.least_wall_ns},
                       {"least_if", condition_code(scope.predicted)},
                       {"overlap_ratio", number(scope.predicted.overlap_ratio)},
                       {"begins_earlier_ns", scope.begins_earlier_ns}};
  add_validity_json(scope.predicted, scope.replay, json["predicted"]);
  json["correction"] = correction_json(scope.correction);
  json["estimated_added"] = scope.estimated_added ? Json(*scope.estimated_added) : Json(nullptr);
  json["ratios"] = Json::object();
  for (const analyzer::PredictedRatio& ratio : scope.ratios) {
    json["ratios"][ratio.measure->name] = {{"recorded", number(ratio.recorded)},
                                           {"predicted", number(ratio.predicted)}};
  }
  json["assumed"] = scope.assumed;
  json["blame"] = Json::array();
  for (const analyzer::BlameRow& row : scope.after.blame) {
    json["blame"].push_back({{"code", row.code}, {"kind", name_of(row.kind)}, {"ns", row.ns}});
  }
  json["findings"] = Json::array();
  for (const analyzer::FindingResult& finding : scope.after.findings) {
    json["findings"].push_back({{"code", finding.code},
                                {"saving_ns", finding.saving_ns},
                                {"saving_share", finding.saving_share},
                                {"what", words_of(finding.what)}});
  }
  json["bound_by"] = {{"engine", scope.after.bound_by}, {"share", scope.after.bound_share}};
  return json;
}

}  // namespace

void render_whatif_json(const analyzer::WhatIfReport& report, std::ostream& out) {
  Json json;
  json["schema"] = "lapscope-whatif/1";
  json["trace"] = {{"file", report.trace.file}, {"command", report.trace.command}};
  json["changes"] = Json::array();
  for (const auto& change : report.changes) json["changes"].push_back(words_of(change));
  json["needs_judgement"] = needs_judgement(report);
  json["scopes"] = Json::array();
  for (const analyzer::WhatIfScope& scope : report.scopes) json["scopes"].push_back(json_of(scope));
  // Names in a trace may be any bytes, but JSON must be valid UTF-8.
  out << analyzer::harmless_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) << '\n';
}

}  // namespace lapscope::reports
