#include "tests/catch.h"
#include "tests/cli/support/run_command.h"
#include "tests/support/json.h"

namespace lapscope::test {
namespace {

using nlohmann::json;

const std::string judged_run = LAPSCOPE_TEST_TRACES "/pipeline-broken.sqlite";

TEST_CASE("the brief JSON has the values of the full one, of the scope that is shown") {
  const auto shown = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"analyze", "--format", "json", judged_run});
    return parse_json(run_lapscope(more).out);
  };
  const json brief = shown({"--brief"});
  const json full = shown({});
  CHECK(brief["verdict"] == full["verdict"]);
  CHECK(brief["trace"] == full["trace"]["file"]);
  const json& scope = brief["scopes"].at(0);
  const json& steady = full["devices"].at(0)["steady"];
  CHECK(scope["kind"] == "steady");
  CHECK(scope["ops"] == steady["ops"]);
  CHECK(scope["wall_ns"] == steady["measures"]["wall"]["value"]);
  CHECK(scope["overlap_ratio"] == steady["measures"]["overlap_ratio"]["value"]);
  CHECK(scope["conclusive"] == steady["conclusive"]);
  REQUIRE(scope["findings"].size() == steady["findings"].size());
  const json& finding = scope["findings"].at(0);
  const json& same = steady["findings"].at(0);
  CHECK(finding["id"] == "0/steady/stream-order");
  for (const char* const member :
       {"code", "saving_ns", "saving_share", "occurrences", "fix_argument"}) {
    CHECK(finding[member] == same[member]);
  }
  CHECK(finding["predicted_wall_ns"] == same["predicted"]["wall_ns"]);
  CHECK(finding["sites"].at(0)["saving_ns"] == same["sites"].at(0)["saving_ns"]);
  CHECK(brief["scopes_left_out"] == 0);
  CHECK(run_lapscope({"analyze", "--brief", judged_run}).status == 2);
}

}  // namespace
}  // namespace lapscope::test
