#include <algorithm>
#include <nlohmann/json.hpp>

#include "analyzer/analysis/verdict.h"
#include "analyzer/model/harmless_text.h"
#include "reports/json/scope_json.h"
#include "reports/renderer.h"
#include "reports/words/activity_words.h"
#include "reports/words/call_sites.h"
#include "reports/words/findings.h"
#include "reports/words/format.h"
#include "reports/words/health_words.h"
#include "reports/words/scope_words.h"
#include "reports/words/verdict_words.h"

namespace lapscope::reports {
namespace {

using Json = nlohmann::ordered_json;
using analyzer::FindingResult;
using analyzer::ScopeResult;

// Limits for the text of a report. If the text is too long, narrow() lowers them.
struct Room {
  std::size_t scopes = 8;
  std::size_t findings = 8;  // of a scope
  std::size_t sites = 3;     // of a finding
  std::size_t questions = 3;
  std::size_t problems = 4;
  std::size_t text = 160;  // columns of a name or a sentence
};

// Lowers the least important limit that can be lowered. Returns false if no limit can be lowered.
bool narrow(Room& room) {
  if (room.sites > 1) return room.sites--, true;
  if (room.questions > 0) return room.questions--, true;
  if (room.findings > 3) return room.findings--, true;
  if (room.scopes > 2) return room.scopes--, true;
  if (room.problems > 1) return room.problems--, true;
  if (room.text > 20) return room.text /= 2, true;
  if (room.findings > 1) return room.findings--, true;
  if (room.scopes > 1) return room.scopes--, true;
  return false;
}

struct ShownScope {
  const analyzer::DeviceResult* device = nullptr;
  const analyzer::RangeResult* range = nullptr;  // null for a whole device, or a window of it

  const ScopeResult& scope() const { return range ? range->scope : device->scope; }
  analyzer::ScopeKind kind(const analyzer::Report& report) const {
    if (range) return range->kind;
    return report.window ? analyzer::ScopeKind::window : analyzer::ScopeKind::device;
  }
};

// Returns the scopes of the first screen: the ranges of each device, or the whole device if it has
// no ranges. The scope with the largest possible saving comes first.
std::vector<ShownScope> scopes_of(const analyzer::Report& report) {
  std::vector<ShownScope> scopes;
  for (const analyzer::DeviceResult& device : report.devices) {
    for (const auto& range : device.ranges) scopes.push_back({&device, &range});
    if (device.ranges.empty()) scopes.push_back({&device, nullptr});
  }
  const auto gain = [](const ShownScope& shown) {
    const auto& causes = shown.scope().causes;
    return causes && !causes->findings.empty() ? causes->findings.front().saving_ns : 0;
  };
  std::stable_sort(scopes.begin(), scopes.end(),
                   [&](const ShownScope& a, const ShownScope& b) { return gain(a) > gain(b); });
  return scopes;
}

Json ratio_json(const ScopeResult& scope, std::string_view measure) {
  const analyzer::Value* value = value_of(scope, measure);
  const auto* ratio = value ? std::get_if<analyzer::Ratio>(value) : nullptr;
  return ratio ? Json(ratio->value()) : Json(nullptr);
}

Json site_json(const FindingResult& finding, const analyzer::CallSite& site, const Room& room) {
  const std::string where = where_of(site);
  return {{"at", shortened(where.empty() ? words_of(site.what) : where, room.text)},
          {"range", shortened(site.range, room.text)},
          {"saving_ns", site.saving_ns ? Json(*site.saving_ns) : Json(nullptr)},
          {"fix_argument", shortened(fix_argument(finding, site), 2 * room.text)}};
}

Json finding_json(const FindingResult& finding, const std::string& scope_id, const Room& room) {
  Json sites = Json::array();
  for (std::size_t i = 0; i < std::min(room.sites, finding.sites.size()); ++i) {
    sites.push_back(site_json(finding, finding.sites[i], room));
  }
  const auto& band = finding.predicted.validity.band;
  return {{"id", scope_id + "/" + std::string(finding.code)},
          {"code", finding.code},
          {"saving_ns", finding.saving_ns},
          {"saving_share", finding.saving_share},
          {"predicted_wall_ns", finding.predicted.wall_ns},
          {"predicted_range_ns", band ? Json{band->low_ns, band->high_ns} : Json(nullptr)},
          {"occurrences", finding.occurrences},
          {"fix", shortened(fix_of(finding), room.text)},
          {"fix_argument", fix_argument(finding)},
          {"sites", std::move(sites)},
          {"sites_left_out", finding.sites.size() - std::min(room.sites, finding.sites.size())}};
}

Json question_json(const FindingResult& question) {
  return {{"code", question.code},
          {"most_saving_ns", question.most_saving_ns},
          {"if", conditions_json(question)}};
}

// Returns the codes of the causes that are unknown because records are missing.
Json unknown_json(const analyzer::CausesResult& causes) {
  Json unknown = Json::array();
  for (const analyzer::LookedFor& one : causes.looked_for) {
    if (one.leaves_open) unknown.push_back(one.code);
  }
  return unknown;
}

Json scope_json(const analyzer::Report& report, const ShownScope& shown, const Room& room) {
  const ScopeResult& scope = shown.scope();
  const std::string kind(name_of(shown.kind(report)));
  std::string id = std::to_string(shown.device->id) + "/" + kind;
  const bool is_named = shown.range && !shown.range->steady;
  if (is_named) id += "/" + shortened(shown.range->name, room.text);
  const analyzer::Verdict verdict = verdict_of(scope);
  Json json = {
      {"device", shown.device->id},
      {"kind", kind},
      {"name",
       shortened(shown.range ? title_of(*shown.range) : title_of(*shown.device), room.text)},
      {"ops", scope.ops},
      {"wall_ns", scope.window.length()},
      {"busy_share", scope.window.length() > 0 ? Json(static_cast<double>(ns_of(scope, "busy")) /
                                                      static_cast<double>(scope.window.length()))
                                               : Json(nullptr)},
      {"overlap_ratio", ratio_json(scope, "overlap_ratio")},
      {"copy_hidden", ratio_json(scope, "copy_hidden")},
      {"verdict", verdict == analyzer::Verdict::unknown ? Json(nullptr) : Json(name_of(verdict))},
      {"conclusive", nullptr},
      {"model_error", nullptr},
      {"unknown", nullptr},
      {"findings", nullptr},
      {"findings_left_out", 0},
      {"questions", nullptr}};
  if (!scope.causes) return json;
  const analyzer::CausesResult& causes = *scope.causes;
  json["conclusive"] = causes.is_conclusive();
  json["model_error"] = causes.replay.blind_error;
  json["unknown"] = unknown_json(causes);
  Json findings = Json::array();
  const std::size_t shown_findings = std::min(room.findings, causes.findings.size());
  for (std::size_t i = 0; i < shown_findings; ++i) {
    findings.push_back(finding_json(causes.findings[i], id, room));
  }
  json["findings"] = std::move(findings);
  json["findings_left_out"] = causes.findings.size() - shown_findings;
  Json questions = Json::array();
  for (std::size_t i = 0; i < std::min(room.questions, causes.questions.size()); ++i) {
    questions.push_back(question_json(causes.questions[i]));
  }
  json["questions"] = std::move(questions);
  return json;
}

Json report_json(const analyzer::Report& report, const Room& room) {
  Json problems = Json::array();
  for (const auto& row : worst_first(report.health)) {
    if (severity_of(row) == analyzer::Severity::info || problems.size() == room.problems) continue;
    problems.push_back({{"code", code_of(row)},
                        {"severity", name_of(severity_of(row))},
                        {"message", shortened(message_of(row), room.text)}});
  }
  const std::vector<ShownScope> all = scopes_of(report);
  const std::size_t shown = std::min(room.scopes, all.size());
  Json scopes = Json::array();
  for (std::size_t i = 0; i < shown; ++i) scopes.push_back(scope_json(report, all[i], room));
  const analyzer::Verdict verdict = verdict_of(report);
  return {
      {"schema", "lapscope-brief/1"},
      {"trace", shortened(report.trace.file, 2 * room.text)},
      {"verdict", verdict == analyzer::Verdict::unknown ? Json(nullptr) : Json(name_of(verdict))},
      {"complete", report.trust == analyzer::Trust::sound},
      {"problems", std::move(problems)},
      {"scopes", std::move(scopes)},
      {"scopes_left_out", all.size() - shown}};
}

std::string text_of(const Json& json) {
  return analyzer::harmless_json(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

void render_brief_json(std::span<const analyzer::Report> reports, std::ostream& out) {
  constexpr std::size_t most = 4096;  // bytes of a report, including the separator
  std::string all;
  for (const analyzer::Report& report : reports) {
    Room room;
    std::string text = text_of(report_json(report, room));
    while (text.size() + 2 > most && narrow(room)) text = text_of(report_json(report, room));
    all += (all.empty() ? "" : ",\n") + text;
  }
  out << (reports.size() == 1 ? all : "[" + all + "]") << '\n';
}

}  // namespace lapscope::reports
