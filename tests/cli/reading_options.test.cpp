#include "cli/reading_options.h"

#include <filesystem>

#include "tests/analyzer/support/trace_file.h"
#include "tests/catch.h"
#include "tests/cli/support/run_command.h"

// Tests --max-ops in every command that reads traces.
namespace lapscope::test {
namespace {

const std::string to_be_read = LAPSCOPE_TEST_TRACES "/stream_pipeline-overlapped.sqlite";

std::vector<std::vector<std::string>> reading_commands() {
  return {{"analyze", to_be_read},
          {"report", to_be_read, "-o", "/dev/null", "--format", "json"},
          {"stats", to_be_read},
          {"gate", to_be_read, "--min-overlap", "0"},
          {"summarize", to_be_read},
          {"diff", to_be_read, LAPSCOPE_TEST_TRACES "/stream_pipeline-serial.sqlite"},
          {"whatif", to_be_read},
          {"whatif", to_be_read, "--fix", "host-sync"}};
}

TEST_CASE("every command refuses what is beyond --max-ops, as another file that it cannot read") {
  for (std::vector<std::string> command : reading_commands()) {
    INFO(command[0]);
    command.insert(command.end(), {"--max-ops", "100"});
    const CommandResult result = run_in_process(command);
    CHECK(result.status == 4);
    CHECK_THAT(on_one_line(result.err),
               Containing("stream_pipeline-overlapped.sqlite' is too large: ") &&
                   Containing("--max-ops allows 100."));
    CHECK(result.out.empty());
  }
}

TEST_CASE("a conversion that is refused leaves no file") {
  const TemporaryFolder folder;
  const auto out = folder / "out.sqlite";
  const CommandResult result =
      run_in_process({"convert", to_be_read, out.string(), "--max-ops", "100"});
  CHECK(result.status == 4);
  CHECK_THAT(on_one_line(result.err), Containing("--max-ops allows 100."));
  CHECK(!std::filesystem::exists(out));
  CHECK(run_in_process({"convert", to_be_read, out.string()}).status == 0);
}

// A replay needs more memory than the trace.
TEST_CASE("what is replayed at once is bounded, too") {
  const std::string few = "3000";
  const CommandResult sample = run_in_process({"analyze", to_be_read, "--max-ops", few});
  CHECK(sample.status == 0);
  const CommandResult less = run_in_process({"whatif", to_be_read, "--max-ops", "700"});
  CHECK(less.status == 4);
  CHECK_THAT(on_one_line(less.err), Containing("has too many ops to replay at once: ") &&
                                        Containing("--max-ops 700 has memory for 91."));
}

}  // namespace
}  // namespace lapscope::test
