#include <map>
#include <set>
#include <sstream>

#include "analyzer/gate/judge_gate.h"
#include "reports/gate/gate_renderer.h"
#include "tests/analyzer/gate/support/made_run.h"
#include "tests/catch.h"
#include "tests/reports/gate/support/xml.h"
#include "tests/support/json.h"

// Shows every outcome of a gate in every format. Programs such as Jenkins read these formats. The
// tests check the output by the rules of these programs.
namespace lapscope::reports {
namespace {

using namespace analyzer;
using namespace std::chrono_literals;
using nlohmann::json;
using test::Containing;
using test::XmlElement;

// A report with four conditions: failed, passed, waived and inconclusive. The last one is from the
// command line, the others are from a file.
GateReport every_outcome() {
  const auto place = [](std::uint32_t line) { return Place{"./ci/lapscope.toml", line, 9}; };
  Gate gate;
  gate.name = "train";
  gate.place = place(1);
  gate.bounds = {{&overlap_ratio, Sense::at_least, 0.5, place(3)},
                 {&idle_ratio, Sense::at_most, 0.1, place(4)},
                 {&wall, Sense::at_most, 8e6, place(5)},
                 {&comm_hidden, Sense::at_least, 0.1, {}}};
  gate.waivers = {{"max wall", "see issue 12", 2026y / 12 / 31, place(7)}};
  RunSummary run = test::made_run({{&overlap_ratio, 0.25}, {&idle_ratio, 0.05}, {&wall, 9e6}});
  test::add_findings(run, {{"event-wait", 0.3}});
  return {"0.1.0", {judge_gate(gate, std::vector{run}, {}, 2026y / 11 / 21)}};
}

std::string rendered(std::string_view format, const GateReport& report,
                     const TextStyle& style = {}) {
  const GateRenderer* renderer = find_gate_renderer(format);
  REQUIRE(renderer != nullptr);
  std::ostringstream out;
  renderer->render(report, style, out);
  return out.str();
}

TEST_CASE("text: a table of all conditions, then why, then the verdict") {
  CHECK(rendered("text", every_outcome()) == R"(gate 'train'
  run.sqlite
  Scope: the whole run; it has no profiler brackets, loop or NVTX range.
                                               value  bound         margin
  failed        device 0  min overlap_ratio    0.250  >= 0.500      -0.250
  passed        device 0  max idle_ratio       0.050  <= 0.100      +0.050
  waived        device 0  max wall           9.00 ms  <= 8.00 ms  -1.00 ms
  inconclusive  device 0  min comm_hidden        n/a  >= 0.100

  failed: min overlap_ratio of device 0:
    0.250 is 0.250 below the bound of 0.500.
    event-wait (30.0 %): It waits. Do not wait.

  waived: max wall of device 0:
    9.00 ms is 1.00 ms above the bound of 8.00 ms. Waived until 2026-12-31:
      see issue 12
    event-wait: as above

  inconclusive: min comm_hidden of device 0:
    'run.sqlite' lacks comm_hidden; make the summary again.

failed: 1 failed, 1 inconclusive, 1 waived, 1 passed
)");
}

TEST_CASE("text: colour marks outcomes and changes no letter and no column") {
  std::string text = rendered("text", every_outcome(), {.colour = true});
  CHECK_THAT(text, Containing("\n  \x1b[1;31mfailed\x1b[0m        device 0  min overlap_ratio"));
  CHECK_THAT(text, Containing("\n  \x1b[32mpassed\x1b[0m        device 0"));
  CHECK_THAT(text, Containing("\n  \x1b[33minconclusive\x1b[0m  device 0"));
  CHECK_THAT(text, Containing("\n\x1b[1;31mfailed\x1b[0m: 1 failed, 1 inconclusive"));
  for (std::size_t at = 0; (at = text.find('\x1b')) != std::string::npos;) {
    text.erase(at, text.find('m', at) + 1 - at);
  }
  CHECK(text == rendered("text", every_outcome()));
}

TEST_CASE("text: the scope is wrapped, and a terminal without Unicode gets ASCII") {
  GateReport report = every_outcome();
  report.gates.at(0).judgements.at(0).because.at(0).sentence = "It waits in train ← main.";
  CHECK_THAT(rendered("text", report, {.width = 40}),
             Containing("\n  Scope: the whole run; it has no\n"
                        "    profiler brackets, loop or NVTX\n    range.\n"));
  CHECK_THAT(rendered("text", report), Containing("train ← main"));
  CHECK_THAT(rendered("text", report, {.unicode = false}), Containing("train <- main"));
}

TEST_CASE("json: verdict, counts, and of each judgement what text says") {
  const json report = test::parse_json(rendered("json", every_outcome()));
  CHECK(report["schema"] == "lapscope-gate/1");
  CHECK(report["verdict"] == "failed");
  CHECK(report["counts"] ==
        json({{"passed", 1}, {"waived", 1}, {"failed", 1}, {"inconclusive", 1}}));
  const json& judgements = report["gates"][0]["judgements"];
  REQUIRE(judgements.size() == 4);
  CHECK(judgements[0]["condition"] == "min overlap_ratio");
  CHECK(judgements[0]["outcome"] == "failed");
  CHECK(judgements[0]["value"] == 0.25);
  CHECK(judgements[0]["bound"] == 0.5);
  CHECK(judgements[0]["margin"] == -0.25);
  CHECK(judgements[0]["place"]["line"] == 3);
  CHECK(judgements[0]["because"][0]["code"] == "event-wait");
  CHECK(judgements[2]["waiver"]["until"] == "2026-12-31");
  CHECK(judgements[3]["value"].is_null());
  CHECK(judgements[3]["place"].is_null());
}

TEST_CASE("markdown: a row for each condition, and nothing that a name could break") {
  const std::string text = rendered("markdown", every_outcome());
  CHECK_THAT(text, Containing("## ❌ lapscope gate: failed"));
  CHECK_THAT(text, Containing("| ❌ failed | device 0 | min overlap_ratio | 0.250 |"));
  CHECK_THAT(text, Containing("| ⚠️ waived |") && Containing("| ❔ inconclusive |"));
}

// The attributes and children that an element may have by junit-10.xsd, with which Jenkins' xUnit
// plugin validates reports.
struct Rule {
  std::set<std::string> required;
  std::set<std::string> optional;
  std::set<std::string> children;
  bool may_have_text = false;
};
const std::map<std::string, Rule> junit_rules = {
    {"testsuites", {{}, {"name", "time", "tests", "failures", "errors"}, {"testsuite"}}},
    {"testsuite",
     {{"name", "tests", "failures", "errors"},
      {"group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"},
      {"testsuite", "properties", "testcase", "system-out", "system-err"}}},
    {"testcase",
     {{"name"},
      {"time", "classname", "group"},
      {"skipped", "error", "failure", "system-out", "system-err"}}},
    {"system-out", {{}, {}, {}, true}},
    {"failure", {{}, {"type", "message"}, {}, true}},
    {"error", {{}, {"type", "message"}, {}, true}},
    {"skipped", {{}, {"type", "message"}, {}, true}},
};

void check_junit(const XmlElement& element) {
  INFO(element.name);
  REQUIRE(junit_rules.count(element.name) == 1);
  const Rule& rule = junit_rules.at(element.name);
  for (const std::string& name : rule.required) REQUIRE(element.attributes.count(name) == 1);
  for (const auto& [name, value] : element.attributes) {
    INFO(name);
    REQUIRE(rule.required.count(name) + rule.optional.count(name) == 1);
  }
  if (!rule.may_have_text) {
    REQUIRE(element.text.find_first_not_of(" \n") == std::string::npos);
  }
  for (const XmlElement& child : element.children) {
    REQUIRE(rule.children.count(child.name) == 1);
    check_junit(child);
  }
}

TEST_CASE("junit: one test for each condition, by the published schema") {
  const XmlElement root = test::parse_xml(rendered("junit", every_outcome()));
  REQUIRE(root.name == "testsuites");
  check_junit(root);
  REQUIRE(root.children.size() == 1);
  const XmlElement& suite = root.children[0];
  CHECK(suite.attributes.at("tests") == "4");
  CHECK(suite.attributes.at("failures") == "1");
  CHECK(suite.attributes.at("errors") == "1");
  CHECK(suite.attributes.at("skipped") == "1");
  REQUIRE(suite.children.size() == 4);
  CHECK(suite.children[0].attributes.at("name") == "min overlap_ratio of device 0");
  CHECK(suite.children[0].children.at(0).name == "failure");
  CHECK_THAT(suite.children[0].children[0].text, Containing("Do not wait."));
  CHECK(suite.children[1].children.empty());
  CHECK(suite.children[2].children.at(0).name == "skipped");
  CHECK(suite.children[3].children.at(0).name == "error");
}

// Checks the members that GitLab's documentation demands of a code quality report.
void check_gitlab(const json& issue) {
  REQUIRE(issue["description"].is_string());
  REQUIRE(issue["check_name"].is_string());
  REQUIRE(issue["fingerprint"].is_string());
  const std::set<std::string> severities = {"info", "minor", "major", "critical", "blocker"};
  REQUIRE(severities.count(issue["severity"].get<std::string>()) == 1);
  const auto path = issue["location"]["path"].get<std::string>();
  REQUIRE_FALSE(path.starts_with("./"));
  REQUIRE(issue["location"]["lines"]["begin"].get<int>() >= 1);
}

TEST_CASE("gitlab: an issue for all that did not pass, at the condition's line") {
  const json issues = test::parse_json(rendered("gitlab", every_outcome()));
  REQUIRE(issues.size() == 3);
  std::set<std::string> fingerprints;
  for (const json& issue : issues) {
    check_gitlab(issue);
    fingerprints.insert(issue["fingerprint"].get<std::string>());
  }
  CHECK(fingerprints.size() == 3);
  CHECK(issues[0]["location"]["path"] == "ci/lapscope.toml");
  CHECK(issues[0]["location"]["lines"]["begin"] == 3);
  CHECK(issues[0]["severity"] == "major");
  CHECK(issues[1]["severity"] == "info");
  CHECK(issues[2]["location"]["path"] == "run.sqlite");
}

TEST_CASE("gitlab: a fingerprint does not depend on the value") {
  GateReport report = every_outcome();
  const json before = test::parse_json(rendered("gitlab", report));
  report.gates[0].judgements[0].value->median = 0.1;
  CHECK(test::parse_json(rendered("gitlab", report))[0]["fingerprint"] == before[0]["fingerprint"]);
}

TEST_CASE("github: one command on one line for all that did not pass") {
  const std::string text = rendered("github", every_outcome());
  std::istringstream lines(text);
  std::string line;
  std::vector<std::string> commands;
  while (std::getline(lines, line)) commands.push_back(line);
  REQUIRE(commands.size() == 3);
  CHECK(commands[0] ==
        "::error file=ci/lapscope.toml,line=3,col=9,title=min overlap_ratio of device 0%2C gate "
        "train::0.250 is 0.250 below the bound of 0.500.%0Aevent-wait (30.0 %25): It waits. Do not "
        "wait.");
  CHECK_THAT(commands[1], Catch::Matchers::StartsWith("::notice "));
  CHECK_THAT(commands[2], Catch::Matchers::StartsWith("::warning file=run.sqlite,line=1,title="));
}

TEST_CASE(
    "github, gitlab and sarif: a finding's line in the repository comes before the condition's") {
  GateReport report = every_outcome();
  Explanation& first = report.gates[0].judgements[0].because.at(0);
  first.at = SourcePlace{"src/tiles.cu", 120, "process_tile"};
  CHECK_THAT(rendered("github", report),
             Catch::Matchers::StartsWith("::error file=src/tiles.cu,line=120,title=") &&
                 Containing("%0Aevent-wait (30.0 %25) at src/tiles.cu:120 in process_tile: It"));
  const json issue = test::parse_json(rendered("gitlab", report))[0];
  CHECK(issue["location"]["path"] == "src/tiles.cu");
  CHECK(issue["location"]["lines"]["begin"] == 120);
  const json result = test::parse_json(rendered("sarif", report))["runs"][0]["results"][0];
  const json& place = result["locations"][0]["physicalLocation"];
  CHECK(place["artifactLocation"]["uri"] == "src/tiles.cu");
  CHECK(place["region"]["startLine"] == 120);
  CHECK_THAT(rendered("text", report),
             Containing("event-wait (30.0 %) at src/tiles.cu:120 in process_tile: It waits."));
  const json because =
      test::parse_json(rendered("json", report))["gates"][0]["judgements"][0]["because"];
  CHECK(because[0]["at"] ==
        json({{"file", "src/tiles.cu"}, {"line", 120}, {"function", "process_tile"}}));

  // This file is outside of the repository.
  first.at->file = "/opt/other/tiles.cu";
  CHECK_THAT(rendered("github", report),
             Catch::Matchers::StartsWith("::error file=ci/lapscope.toml,line=3,"));
}

// Checks members and references by the schema of SARIF 2.1.0.
void check_sarif(const json& log) {
  CHECK(log["version"] == "2.1.0");
  REQUIRE(log["runs"].size() == 1);
  const json& run = log["runs"][0];
  const json& rules = run["tool"]["driver"]["rules"];
  CHECK(run["tool"]["driver"]["name"] == "lapscope");
  const std::set<std::string> levels = {"none", "note", "warning", "error"};
  for (const json& result : run["results"]) {
    CHECK(rules.at(result["ruleIndex"].get<std::size_t>())["id"] == result["ruleId"]);
    CHECK(levels.count(result["level"].get<std::string>()) == 1);
    const auto text = result["message"]["text"].get<std::string>();
    CHECK_FALSE(text.empty());
    CHECK(text.find("](") == std::string::npos);
    CHECK(result["partialFingerprints"]["lapscope/1"].get<std::string>().size() == 16);
    REQUIRE(result["locations"].size() == 1);
    const json& place = result["locations"][0]["physicalLocation"];
    const auto uri = place["artifactLocation"]["uri"].get<std::string>();
    CHECK_FALSE(uri.empty());
    CHECK(uri.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "/._~-+@%") == std::string::npos);
    CHECK(place["region"]["startLine"].get<int>() >= 1);
  }
}

TEST_CASE("sarif: a result for all that did not pass, with a rule for each condition") {
  const json log = test::parse_json(rendered("sarif", every_outcome()));
  check_sarif(log);
  const json& results = log["runs"][0]["results"];
  REQUIRE(results.size() == 3);
  CHECK(results[0]["ruleId"] == "lapscope/min-overlap_ratio");
  CHECK(results[0]["level"] == "error");
  CHECK_THAT(
      results[0]["message"]["text"].get<std::string>(),
      Containing("0.250 is 0.250 below the bound of 0.500.\nevent-wait (30.0 %): It waits."));
  CHECK(results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] ==
        "ci/lapscope.toml");
  CHECK(results[0]["locations"][0]["physicalLocation"]["region"]["startLine"] == 3);
  CHECK_FALSE(results[0].contains("suppressions"));
  CHECK(results[1]["level"] == "note");
  CHECK(results[1]["suppressions"][0]["kind"] == "external");
  CHECK_FALSE(results[1]["suppressions"][0]["justification"].get<std::string>().empty());
  CHECK(results[2]["level"] == "warning");
}

TEST_CASE("sarif: of several results of a condition there is one rule, and none of none") {
  GateReport report = every_outcome();
  report.gates.push_back(report.gates[0]);
  const json log = test::parse_json(rendered("sarif", report));
  check_sarif(log);
  CHECK(log["runs"][0]["results"].size() == 6);
  CHECK(log["runs"][0]["tool"]["driver"]["rules"].size() == 3);
  const json none = test::parse_json(rendered("sarif", GateReport()));
  check_sarif(none);
  CHECK(none["runs"][0]["results"] == json::array());
}

GateReport hostile() {
  GateReport report = every_outcome();
  const std::string name = "a<b>[c](d)&\"'|`::error::x\n::error::y\x1b[2J\xff\x01 \xEF\xBF\xBF ]]>";
  JudgedGate& gate = report.gates[0];
  gate.name = name;
  gate.files = {name};
  gate.notes = {{RemarkKind::defect, {name, name}}};
  for (Judgement& judgement : gate.judgements) {
    judgement.subject = name;
    judgement.reason = {RemarkKind::undefined, {name, name, name}};
    judgement.because = {
        {Explanation::Kind::finding, name, 0.1, name, name, SourcePlace{name, 3, name}}};
    judgement.place.file = name;
  }
  return report;
}

TEST_CASE("names from programs break no format") {
  for (const GateRenderer& renderer : gate_renderers) {
    INFO(renderer.name);
    const std::string text = rendered(renderer.name, hostile());
    CHECK_FALSE(text.empty());
    CHECK(text.find('\x1b') == std::string::npos);
    // Texts of a report must not begin a workflow command.
    if (renderer.name != "github") CHECK(text.find("\n::error") == std::string::npos);
  }
  check_junit(test::parse_xml(rendered("junit", hostile())));
  CHECK(test::parse_json(rendered("json", hostile()))["gates"].size() == 1);
  const json issues = test::parse_json(rendered("gitlab", hostile()));
  CHECK(issues.size() == 4);  // including the note
  for (const json& issue : issues) check_gitlab(issue);
  const json log = test::parse_json(rendered("sarif", hostile()));
  check_sarif(log);
  CHECK(log["runs"][0]["results"].size() == 4);
  std::istringstream lines(rendered("github", hostile()));
  std::string line;
  int commands = 0;
  while (std::getline(lines, line)) commands += line.starts_with("::") ? 1 : 100;
  CHECK(commands == 4);  // including the note
}

TEST_CASE("every format has the notes, and no outcome comes of them") {
  GateReport report = every_outcome();
  report.gates[0].notes = {{RemarkKind::defect, {"run.sqlite", "A warning of the recording."}}};
  for (const GateRenderer& renderer : gate_renderers) {
    INFO(renderer.name);
    CHECK_THAT(rendered(renderer.name, report), Containing("A warning of the recording"));
  }
  const XmlElement root = test::parse_xml(rendered("junit", report));
  check_junit(root);
  CHECK(root.children[0].attributes.at("tests") == "4");
  CHECK(test::parse_json(rendered("gitlab", report)).back()["severity"] == "info");
  CHECK_THAT(
      rendered("github", report),
      Containing("\n::notice file=run.sqlite,line=1,title=gate train::'run.sqlite': A warning"));
}

TEST_CASE("a bound that is no pass itself is shown as such") {
  GateReport report = every_outcome();
  report.gates[0].judgements[1].is_below = true;
  CHECK_THAT(rendered("text", report), Containing("0.050  < 0.100"));
}

TEST_CASE("renderers of gates are found by name") {
  for (const GateRenderer& renderer : gate_renderers) {
    CHECK(find_gate_renderer(renderer.name) == &renderer);
  }
  CHECK(find_gate_renderer("xml") == nullptr);
}

}  // namespace
}  // namespace lapscope::reports
