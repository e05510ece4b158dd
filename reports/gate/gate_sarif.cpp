#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "analyzer/model/harmless_text.h"
#include "reports/gate/gate_renderer.h"
#include "reports/gate/gate_words.h"
#include "reports/words/format.h"

namespace lapscope::reports {
namespace {

using analyzer::Outcome;
using Json = nlohmann::ordered_json;

constexpr PerOutcome levels = {"note", "note", "error", "warning"};

// Returns a path as a relative reference (RFC 3986), percent-encoded.
std::string uri_of(std::string_view path) {
  std::string uri;
  for (const char c : path) {
    const bool is_plain = ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') ||
                          ('0' <= c && c <= '9') ||
                          std::string_view("/._~-+@").find(c) != std::string_view::npos;
    uri += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

// Inserts a space into each "](". A name from the program then cannot create a link in a message.
std::string message_of(std::string_view text) {
  std::string message = printable(text);
  for (auto at = message.find("]("); at != std::string::npos; at = message.find("](", at)) {
    message.insert(at + 1, 1, ' ');
  }
  return message;
}

// Collects the results of a SARIF run, and the rule of each result at its first occurrence.
class SarifRun {
 public:
  void add(const std::string& rule, const char* level, const std::string& message,
           const analyzer::Place& place, const std::string& fingerprint) {
    const auto [known, is_new] = numbers_.emplace(rule, rules_.size());
    if (is_new) rules_.push_back({{"id", rule}});
    const Json region = {{"startLine", place.line}};
    const Json location = {
        {"physicalLocation",
         {{"artifactLocation", {{"uri", uri_of(place.file)}}}, {"region", region}}}};
    results_.push_back({{"ruleId", rule},
                        {"ruleIndex", known->second},
                        {"level", level},
                        {"message", {{"text", message}}},
                        {"locations", Json::array({location})},
                        {"partialFingerprints", {{"lapscope/1", fingerprint}}}});
  }
  void suppress(const std::string& reason) {
    results_.back()["suppressions"] =
        Json::array({{{"kind", "external"}, {"justification", reason}}});
  }
  Json json(const std::string& version) const {
    const Json driver = {{"name", "lapscope"}, {"version", version}, {"rules", rules_}};
    return {{"tool", {{"driver", driver}}}, {"results", results_}};
  }

 private:
  std::map<std::string, std::size_t> numbers_;
  Json rules_ = Json::array();
  Json results_ = Json::array();
};

}  // namespace

void render_gate_sarif(const analyzer::GateReport& report, const TextStyle&, std::ostream& out) {
  SarifRun run;
  for (const auto& gate : report.gates) {
    for (const auto& judgement : gate.judgements) {
      if (judgement.outcome == Outcome::passed) continue;
      std::string message = message_of(
          fmt::format("{} ({}): {}", title_of(judgement), gate.name, sentence_of(judgement)));
      for (const auto& explanation : judgement.because) {
        message += "\n" + message_of(sentence_of(explanation));
      }
      run.add(check_name(judgement.condition), levels.of(judgement.outcome), message,
              place_to_show(gate, judgement),
              fingerprint_of({gate.name, judgement.subject, judgement.condition}));
      if (judgement.outcome == Outcome::waived) run.suppress(printable(judgement.waiver->reason));
    }
    for (const std::string& note : sentences_of(gate.notes)) {
      run.add(check_name("note"), "note", message_of(gate.name + ": " + note),
              {file_to_show(gate), 1, 0}, fingerprint_of({gate.name, note}));
    }
  }
  const Json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                    {"version", "2.1.0"},
                    {"runs", Json::array({run.json(report.tool_version)})}};
  out << analyzer::harmless_json(log.dump(2, ' ', false, Json::error_handler_t::replace)) << '\n';
}

}  // namespace lapscope::reports
