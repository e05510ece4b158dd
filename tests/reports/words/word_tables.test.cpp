#include "reports/words/word_tables.h"

#include <string>
#include <vector>

#include "tests/catch.h"

namespace lapscope::reports {
namespace {

using analyzer::CausesResult;
using analyzer::FindingResult;
using Outcomes = std::vector<std::string>;

Outcomes outcomes_of(const CausesResult& causes) {
  analyzer::ScopeResult scope;
  scope.causes = causes;
  Outcomes outcomes;
  for (const auto& row : looked_for_table(scope).rows) outcomes.push_back(row.at(1));
  return outcomes;
}

FindingResult about(std::string_view code) {
  FindingResult result;
  result.code = code;
  return result;
}

TEST_CASE("a cause that is only asked about is neither found nor not found") {
  CausesResult causes;
  causes.looked_for = {{"stream-order"}, {"host-sync", true}, {"graph-edge"}};
  causes.questions = {about("stream-order")};
  CHECK(outcomes_of(causes) == Outcomes{"asked", "found", "not-found"});
  causes.looked_for[0].missing = {"RUNTIME"};
  CHECK(outcomes_of(causes) == Outcomes{"inconclusive", "found", "not-found"});
}

TEST_CASE("sites have no saving where the model check is far off") {
  analyzer::ScopeResult scope;
  scope.causes = CausesResult{};
  FindingResult finding = about("host-sync");
  finding.sites.resize(2);
  finding.sites[0].saving_ns = 1000;
  CHECK(sites_table(finding, scope).rows[0][0] == "1.00 us");
  CHECK(sites_table(finding, scope).rows[1][0].empty());
  scope.causes->replay.blind_error = -0.79;
  CHECK(sites_table(finding, scope).rows[0][0].empty());
}

// The report contains only one question.
TEST_CASE("a question has its own line, which says that its prediction is not validated") {
  analyzer::Report report;
  report.trace.file = "t.sqlite";
  analyzer::ScopeResult scope;
  scope.window = {0, 1000};
  scope.causes = CausesResult{};
  FindingResult question = about("graph-edge");
  question.if_independent = true;
  question.saving_ns = 100;
  question.what = {analyzer::Doing::Kind::op, "step_kernel"};
  const auto where = [&] {
    scope.causes->questions = {question};
    return questions_tables(report, scope, nullptr).at(0).rows.at(0).at(3);
  };
  CHECK(where() == "step_kernel");
  analyzer::CallSite site;
  site.stack = {{"step", "", "src/solver.cu", 40}};
  question.sites = {site};
  CHECK(where().find("solver.cu:40") != std::string::npos);
  CHECK(where().find("step_kernel") != std::string::npos);
  const auto fixes = [&] {
    scope.causes->questions = {question};
    return questions_tables(report, scope, nullptr).at(0).rows.at(0).at(0);
  };
  CHECK(fixes() == "graph-edge");
  question.then_also = "sm-saturated";
  CHECK(fixes() == "graph-edge with sm-saturated");
}

}  // namespace
}  // namespace lapscope::reports
