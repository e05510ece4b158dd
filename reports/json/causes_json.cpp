#include "reports/json/causes_json.h"

namespace lapscope::reports {
namespace {

using Json = nlohmann::ordered_json;

Json interval_json(analyzer::Interval interval) {
  return {{"start", interval.start}, {"end", interval.end}};
}

Json evidence_json(const analyzer::Evidence& evidence) {
  return {{"waiting", interval_json(evidence.waiting)},
          {"op", evidence.op},
          {"stream", evidence.stream},
          {"held_by", evidence.held_by},
          {"holder", interval_json(evidence.holder)},
          {"call", evidence.call},
          {"thread", evidence.thread},
          {"range", evidence.range}};
}

Json prediction_json(const analyzer::Prediction& predicted) {
  Json json = {{"wall_ns", predicted.wall_ns}};
  json["overlap_ratio"] = predicted.overlap_ratio ? Json(*predicted.overlap_ratio) : Json(nullptr);
  json["needs_judgement"] = predicted.needs_judgement;
  json["caveat"] = predicted.caveat;
  return json;
}

Json finding_json(const analyzer::FindingResult& finding) {
  Json evidence = Json::array();
  for (const auto& instance : finding.evidence) evidence.push_back(evidence_json(instance));
  return {{"code", finding.code},
          {"saving_ns", finding.saving_ns},
          {"saving_share", finding.saving_share},
          {"occurrences", finding.occurrences},
          {"waited_ns", finding.waited_ns},
          {"what", finding.what},
          {"explanation", finding.explanation},
          {"fix", finding.fix},
          {"then_also", finding.then_also.empty() ? Json(nullptr) : Json(finding.then_also)},
          {"fix_argument", finding.fix_argument},
          {"predicted", prediction_json(finding.predicted)},
          {"evidence", std::move(evidence)}};
}

}  // namespace

Json causes_json(const std::optional<analyzer::CausesResult>& causes) {
  if (!causes) {
    return {{"findings", nullptr}, {"blame", nullptr}, {"replay", nullptr}, {"bound", nullptr}};
  }
  Json findings = Json::array();
  for (const auto& finding : causes->findings) findings.push_back(finding_json(finding));
  Json blame = Json::array();
  for (const auto& row : causes->blame) {
    const bool works = row.kind == analyzer::BlameKind::work;
    blame.push_back({{"code", row.code}, {"kind", works ? "work" : "wait"}, {"ns", row.ns}});
  }
  return {{"findings", std::move(findings)},
          {"blame", std::move(blame)},
          {"replay", {{"wall_ns", causes->replay.wall_ns}, {"error", causes->replay.error}}},
          {"bound", {{"engine", causes->bound_by}, {"share", causes->bound_share}}}};
}

}  // namespace lapscope::reports
