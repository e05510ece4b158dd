#include "cli/gate_options.h"

#include "tests/catch.h"

namespace lapscope::cli {
namespace {

analyzer::Focus analysis_focus_of(const GateOptions& options) {
  return analysis_of({{gate_of_command_line(options)}, {}, {}}).focus;
}

TEST_CASE("a cause between ranks is sought in the default scope, also if a range is named") {
  GateOptions options;
  options.ranges = {"measure"};
  options.max_idle = "70%";
  const analyzer::Focus of_range = analysis_focus_of(options);
  CHECK(of_range != analyzer::Focus::steady);
  options.forbid = {"straggler"};
  CHECK(analysis_focus_of(options) == analyzer::Focus::steady);
  options.whole = true;
  CHECK(analysis_focus_of(options) == of_range);
}

}  // namespace
}  // namespace lapscope::cli
