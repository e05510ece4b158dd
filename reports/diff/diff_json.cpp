#include <nlohmann/json.hpp>

#include "analyzer/model/harmless_text.h"
#include "reports/diff/diff_renderer.h"
#include "reports/diff/diff_words.h"
#include "reports/gate/gate_words.h"

namespace lapscope::reports {
namespace {

using Json = nlohmann::ordered_json;

Json repeats_json(const std::optional<analyzer::Repeats>& repeats) {
  if (!repeats) return nullptr;
  return {{"runs", repeats->count},    {"least", repeats->least}, {"low", repeats->low},
          {"median", repeats->median}, {"high", repeats->high},   {"most", repeats->most}};
}

Json figure_json(const analyzer::FigureChange& figure) {
  const auto difference = figure.difference();
  return {{"before", repeats_json(figure.before)},
          {"after", repeats_json(figure.after)},
          {"difference", difference ? Json(*difference) : Json(nullptr)},
          {"p", figure.chance ? Json(*figure.chance) : Json(nullptr)},
          {"change", name_of(figure.change)}};
}

Json times_json(const std::vector<analyzer::TimeChange>& times) {
  Json json = Json::object();
  for (const auto& time : times) json[time.code] = figure_json(time.ns);
  return json;
}

Json place_json(const std::optional<analyzer::SourcePlace>& place) {
  if (!place) return nullptr;
  return {{"file", place->file}, {"line", place->line}, {"function", place->function}};
}

Json findings_json(const std::vector<analyzer::FindingChange>& findings) {
  Json json = Json::array();
  for (const auto& finding : findings) {
    json.push_back({{"code", finding.code},
                    {"what", finding.what},
                    {"before_share", finding.before_share},
                    {"after_share", finding.after_share},
                    {"explanation", finding.explanation},
                    {"fix", finding.fix},
                    {"at_before", place_json(finding.at_before)},
                    {"at_after", place_json(finding.at_after)}});
  }
  return json;
}

Json work_json(const analyzer::WorkChange& work) {
  Json measures = Json::object();
  for (const auto& change : work.measures) {
    Json figure = figure_json(change.figure);
    figure["unit"] = change.measure->unit == analyzer::MeasureUnit::ns ? "ns" : "ratio";
    measures[std::string(change.measure->name)] = std::move(figure);
  }
  Json findings = nullptr;
  if (work.knows_findings) {
    findings = {{"gained", findings_json(work.gained)},
                {"lost", findings_json(work.lost)},
                {"kept", findings_json(work.kept)}};
  }
  Json kernels = Json::array();
  for (const auto& kernel : work.kernels) {
    kernels.push_back({{"name", kernel.name},
                       {"ops", figure_json(kernel.ops)},
                       {"mean_ns", figure_json(kernel.mean_ns)},
                       {"sum_ns", figure_json(kernel.sum_ns)},
                       {"shared", figure_json(kernel.shared)}});
  }
  Json launches = Json::array();
  for (const auto& launch : work.launches) {
    launches.push_back({{"name", launch.name},
                        {"launch", launch.nth},
                        {"of", launch.of},
                        {"launch_before", launch.nth_before},
                        {"of_before", launch.of_before},
                        {"ns", figure_json(launch.ns)}});
  }
  return {{"name", work.name},
          {"measures", std::move(measures)},
          {"gaps", times_json(work.gaps)},
          {"blame", work.knows_findings ? times_json(work.blame) : Json(nullptr)},
          {"host_time", times_json(work.host_time)},
          {"findings", std::move(findings)},
          {"kernels", std::move(kernels)},
          {"launches", std::move(launches)}};
}

Json side_json(const analyzer::ComparedSide& side) {
  return {{"files", side.files}, {"runs", side.runs}, {"command", side.command}};
}

}  // namespace

void render_diff_json(const analyzer::Comparison& comparison, const DrawnRuns&, const TextStyle&,
                      std::ostream& out) {
  Json works = Json::array();
  for (const auto& work : comparison.works) works.push_back(work_json(work));
  const Json json = {{"schema", "lapscope-diff/1"},
                     {"tool", {{"version", comparison.tool_version}}},
                     {"verdict", comparison.trouble.empty() ? "compared" : "inconclusive"},
                     {"reason", sentence_of(comparison.trouble)},
                     {"before", side_json(comparison.before)},
                     {"after", side_json(comparison.after)},
                     {"scope", scope_sentence(comparison)},
                     {"notes", sentences_of(comparison.notes)},
                     {"works", std::move(works)}};
  out << analyzer::harmless_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) << '\n';
}

}  // namespace lapscope::reports
