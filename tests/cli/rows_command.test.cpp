#include "tests/catch.h"
#include "tests/cli/support/run_command.h"
#include "tests/support/json.h"

namespace lapscope::test {
namespace {

const std::string listed_trace = LAPSCOPE_TEST_TRACES "/pipeline-broken.sqlite";

nlohmann::json head_of(const std::string& out) { return parse_json(out.substr(0, out.find('\n'))); }

TEST_CASE("rows writes the table that it is asked for, and nothing beside it") {
  const CommandResult ops = run_lapscope({"rows", listed_trace, "--table", "ops"});
  CHECK(ops.status == 0);
  CHECK(ops.err == "");
  const nlohmann::json head = head_of(ops.out);
  CHECK(head["columns"][0]["name"] == "device");
  CHECK(head["rows"].get<int>() > 90);
  const CommandResult calls = run_lapscope({"rows", listed_trace, "--table", "calls"});
  CHECK(head_of(calls.out)["columns"][0]["name"] == "process");
  CHECK(run_lapscope({"rows", listed_trace, "--table", "streams"}).status == 2);
}

TEST_CASE("rows of what cannot be read, or has lost some, says so") {
  const CommandResult none = run_lapscope({"rows", "none.sqlite", "--table", "ops"});
  CHECK(none.status == 4);
  CHECK(none.out.empty());
  CHECK_THAT(none.err, Containing("'none.sqlite' does not exist"));
  const CommandResult limited =
      run_lapscope({"rows", listed_trace, "--table", "ops", "--max-ops", "5"});
  CHECK(limited.status == 4);
  CHECK(limited.out.empty());
}

}  // namespace
}  // namespace lapscope::test
