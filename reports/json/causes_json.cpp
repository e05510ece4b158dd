#include "reports/json/scope_json.h"

#include "reports/words/accuracy.h"
#include "reports/words/activity_words.h"
#include "reports/words/call_sites.h"
#include "reports/words/findings.h"

namespace lapscope::reports {

nlohmann::ordered_json conditions_json(const analyzer::FindingResult& finding) {
  auto conditions = nlohmann::ordered_json::array();
  if (finding.if_independent) conditions.push_back("independent");
  if (finding.if_apart || finding.if_shared) {
    conditions.push_back(condition_code(finding.predicted));
  }
  return conditions;
}

namespace {

using Json = nlohmann::ordered_json;

Json interval_json(analyzer::Interval interval) {
  return {{"start", interval.start}, {"end", interval.end}};
}

Json evidence_json(const analyzer::Evidence& evidence) {
  return {{"waiting", interval_json(evidence.waiting)},
          {"op", evidence.op},
          {"stream", evidence.stream},
          {"held_by", words_of(evidence.blocked_by)},
          {"holder", interval_json(evidence.holder)},
          {"call", evidence.call},
          {"thread", evidence.thread},
          {"range", evidence.range},
          {"line", evidence.line}};
}

Json prediction_json(const analyzer::FindingResult& finding, const analyzer::ReplayResult& replay) {
  const analyzer::Prediction& predicted = finding.predicted;
  Json json = {{"wall_ns", predicted.wall_ns}, {"least_wall_ns", predicted.least_wall_ns}};
  json["least_if"] = condition_code(predicted);
  json["overlap_ratio"] = predicted.overlap_ratio ? Json(*predicted.overlap_ratio) : Json(nullptr);
  json["needs_judgement"] = predicted.needs_judgement;
  json["caveat"] = caveat_of(finding);
  add_validity_json(predicted, replay, json);
  return json;
}

Json row_json(const analyzer::BlameRow& row) {
  return {{"code", row.code}, {"kind", name_of(row.kind)}, {"ns", row.ns}};
}

Json op_json(const std::optional<analyzer::PathOp>& op) {
  if (!op) return nullptr;
  return {{"name", op->name},
          {"device", op->device},
          {"stream", op->stream},
          {"start", op->interval.start},
          {"end", op->interval.end}};
}

Json call_json(const std::optional<analyzer::PathCall>& call) {
  if (!call) return nullptr;
  return {{"name", call->name},
          {"thread", call->thread},
          {"start", call->interval.start},
          {"end", call->interval.end}};
}

Json stretch_json(const analyzer::PathStretch& stretch) {
  Json json = interval_json(stretch.interval);
  if (stretch.merged == 1) {
    json["kind"] = name_of(stretch.parts.front().kind);
    json["code"] = stretch.parts.front().code;
    json["op"] = op_json(stretch.op);
    json["call"] = call_json(stretch.call);
    return json;
  }
  json["kind"] = "merged";
  json["count"] = stretch.merged;
  json["parts"] = Json::array();
  for (const auto& part : stretch.parts) json["parts"].push_back(row_json(part));
  return json;
}

Json frame_json(const analyzer::StackFrame& frame) {
  return {
      {"function", frame.function},  {"module", frame.module},
      {"file", frame.file},          {"line", frame.line > 0 ? Json(frame.line) : Json(nullptr)},
      {"inlined", frame.is_inlined}, {"owner", name_of(frame.owner)}};
}

Json site_json(const analyzer::FindingResult& finding, const analyzer::CallSite& site) {
  Json json = {{"what", words_of(site.what)},
               {"range", site.range},
               {"occurrences", site.occurrences},
               {"waited_ns", site.waited_ns}};
  json["saving_ns"] = site.saving_ns ? Json(*site.saving_ns) : Json(nullptr);
  json["fix_argument"] = fix_argument(finding, site);
  json["threads"] = site.threads;
  json["line"] = site.line;
  json["caller"] = site.caller;
  json["where"] = where_of(site);
  json["stack"] = Json::array();
  for (const analyzer::StackFrame& frame : site.stack) json["stack"].push_back(frame_json(frame));
  json["clues"] = Json::array();
  for (const analyzer::Clue clue : site.clues) json["clues"].push_back(code_of(clue));
  json["forward_stack"] = Json::array();
  for (const analyzer::StackFrame& frame : site.forward_stack) {
    json["forward_stack"].push_back(frame_json(frame));
  }
  return json;
}

Json looked_for_json(const analyzer::LookedFor& one) {
  return {{"code", one.code},
          {"outcome", outcome_of(one)},
          {"rests_on", one.rests_on},
          {"missing", one.missing}};
}

Json advice_json(const analyzer::FindingResult& finding) {
  Json advice = Json::array();
  for (const FrameworkAdvice& one : framework_advice(finding)) {
    advice.push_back({{"code", one.code}, {"text", one.text}, {"line", one.line}});
  }
  return advice;
}

Json finding_json(const analyzer::FindingResult& finding, const analyzer::ReplayResult& replay) {
  Json evidence = Json::array();
  for (const auto& instance : finding.evidence) evidence.push_back(evidence_json(instance));
  Json sites = Json::array();
  for (const auto& site : finding.sites) sites.push_back(site_json(finding, site));
  Json json = {{"code", finding.code},
               {"saving_ns", finding.saving_ns},
               {"saving_share", finding.saving_share},
               {"most_saving_ns", finding.most_saving_ns},
               {"if", conditions_json(finding)},
               {"occurrences", finding.occurrences},
               {"waited_ns", finding.waited_ns},
               {"what", words_of(finding.what)},
               {"explanation", explanation_of(finding)},
               {"fix", fix_of(finding)},
               {"advice", advice_json(finding)},
               {"then_also", finding.then_also.empty() ? Json(nullptr) : Json(finding.then_also)},
               {"fix_argument", fix_argument(finding)},
               {"predicted", prediction_json(finding, replay)},
               {"sites", nullptr},
               {"evidence", nullptr},
               {"rests_on", finding.rests_on}};
  json["sites"] = std::move(sites);
  json["evidence"] = std::move(evidence);
  if (finding.host_work) json["host_work"] = host_work_json(*finding.host_work);
  return json;
}

}  // namespace

namespace {

std::string_view code_of(analyzer::Certainty certainty) {
  return certainty == analyzer::Certainty::upper_bound ? "upper-bound" : word_of(certainty);
}

std::string_view code_of(const analyzer::Residuals& like) {
  switch (like.kind) {
    case analyzer::PredictionKind::fix:
      return like.fix;
    case analyzer::PredictionKind::fix_class:
      return name_of(like.fixes);
    case analyzer::PredictionKind::estimate:
      return "estimates";
    case analyzer::PredictionKind::saving:
      return "savings";
    case analyzer::PredictionKind::any:
      break;
  }
  return "any";
}

}  // namespace

void add_validity_json(const analyzer::Prediction& predicted, const analyzer::ReplayResult& replay,
                       Json& json) {
  const analyzer::Validity& validity = predicted.validity;
  json["certainty"] = code_of(validity.certainty);
  json["error_band"] = nullptr;
  json["not_validated_for"] = validity.band ? Json(nullptr) : Json(not_validated_for(validity));
  if (!validity.band) return;
  const analyzer::ErrorBand& band = *validity.band;
  const analyzer::Residuals& like = band.like;
  json["error_band"] = {{"low_ns", band.low_ns},
                        {"high_ns", band.high_ns},
                        {"fixes", name_of(band.fixes)},
                        {"of", code_of(like)},
                        {"programs", like.programs},
                        {"pairs", like.pairs},
                        {"median_error", like.median_error},
                        {"error", std::max(1 / like.low, like.high) - 1},
                        {"low_factor", like.low},
                        {"high_factor", like.high},
                        {"other_gpu", band.is_of_other_gpu},
                        {"replay_error", replay.error}};
}

Json replay_json(const analyzer::ReplayResult& replay) {
  return {{"wall_ns", replay.wall_ns},
          {"error", replay.error},
          {"blind_wall_ns", replay.blind_wall_ns},
          {"blind_error", replay.blind_error}};
}

Json correction_json(const std::optional<analyzer::Correction>& correction) {
  if (!correction) return nullptr;
  Json json = {
      {"recorded_ns", correction->recorded_ns},
      {"corrected_ns", correction->corrected_ns},
      {"calibrated", correction->calibrated.empty() ? Json(nullptr) : Json(correction->calibrated)},
      {"cost_factor", correction->factor ? Json(*correction->factor) : Json(nullptr)},
      {"iterations_error",
       correction->iterations_error ? Json(*correction->iterations_error) : Json(nullptr)},
      {"host", nullptr},
      {"first_recorded", nullptr},
      {"first_corrected", nullptr}};
  if (correction->host_corrected_ns) {
    json["host"] = {
        {"recorded_ns", *correction->host_recorded_ns},
        {"corrected_ns", *correction->host_corrected_ns},
        {"bare_error", correction->bare_error ? Json(*correction->bare_error) : Json(nullptr)}};
  }
  if (!correction->first_recorded.empty()) {
    json["first_recorded"] = correction->first_recorded;
    json["first_corrected"] = correction->first_corrected;
  }
  return json;
}

Json sample_json(const std::optional<analyzer::Sample>& sample) {
  if (!sample) return nullptr;
  return {{"intervals", sample->intervals},
          {"ops", sample->ops},
          {"of_ops", sample->of_ops},
          {"idle_difference", sample->idle_difference},
          {"pace_difference", sample->pace_difference}};
}

Json causes_json(const std::optional<analyzer::CausesResult>& causes) {
  Json json = {{"findings", nullptr},
               {"questions", nullptr},
               {"blame", nullptr},
               {"replay", nullptr},
               {"unexplained_share", nullptr},
               {"conclusive", nullptr},
               {"critical_path", nullptr},
               {"bound", nullptr},
               {"advice", nullptr},
               {"assumed", nullptr},
               {"bottleneck", nullptr},
               {"looked_for", nullptr},
               {"correction", nullptr},
               {"estimated_added", nullptr},
               {"sample", nullptr}};
  if (!causes) return json;
  for (const char* list :
       {"findings", "questions", "blame", "critical_path", "advice", "looked_for"}) {
    json[list] = Json::array();
  }
  for (const auto& finding : causes->findings) {
    json["findings"].push_back(finding_json(finding, causes->replay));
  }
  for (const auto& question : causes->questions) {
    json["questions"].push_back(finding_json(question, causes->replay));
  }
  for (const auto& row : causes->blame) json["blame"].push_back(row_json(row));
  for (const auto& stretch : causes->critical_path) {
    json["critical_path"].push_back(stretch_json(stretch));
  }
  for (const auto& one : causes->advice) {
    json["advice"].push_back({{"step", code_of(one.step())}, {"text", sentences_of(one, *causes)}});
  }
  for (const auto& one : causes->looked_for) json["looked_for"].push_back(looked_for_json(one));
  json["replay"] = replay_json(causes->replay);
  json["unexplained_share"] = causes->unexplained_share;
  json["conclusive"] = causes->is_conclusive();
  json["bound"] = {{"engine", causes->bound_by}, {"share", causes->bound_share}};
  json["assumed"] = causes->assumed;
  if (!causes->blame.empty()) json["bottleneck"] = row_json(causes->blame.front());
  json["correction"] = correction_json(causes->correction);
  if (causes->estimated_added) json["estimated_added"] = *causes->estimated_added;
  json["sample"] = sample_json(causes->sample);
  return json;
}

void make_room(Json& object) {
  constexpr std::size_t members = 64;
  object.get_ref<Json::object_t&>().reserve(members);
}

void append(Json& object, Json&& more) {
  make_room(object);
  for (auto& [name, value] : more.get_ref<Json::object_t&>()) object[name] = std::move(value);
}

}  // namespace lapscope::reports
