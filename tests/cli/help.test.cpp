#include <sstream>

#include "tests/catch.h"
#include "tests/cli/support/run_command.h"

namespace lapscope::test {
namespace {

std::string help_of(const std::string& command) {
  const CommandResult result = run_lapscope({command, "--help"});
  REQUIRE(result.status == 0);
  return result.out;
}

bool has_words(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("help says in words what may be given and what counts otherwise") {
  const std::string record = on_one_line(help_of("record"));
  CHECK(has_words(record, "--flush-ms N "));
  CHECK(has_words(record, "(from 10 to 60000, 200 by default)"));
  CHECK(has_words(record, "(from 0.001 to 1000000)"));
  CHECK(has_words(record, "--no-calibrate Do not"));
  CHECK(has_words(record, "record [OPTIONS] PROGRAM [ARGUMENT...]"));
  const std::string analyze = on_one_line(help_of("analyze"));
  CHECK(has_words(analyze, "(from 0 to 100, 3 by default)"));
  CHECK(has_words(analyze, "(0 or more, 10 by default)"));
  CHECK(has_words(analyze,
                  "(nccl*, nvshmem*, cross_device_reduce_*, *deep_ep::*intranode::*, "
                  "*deep_ep::*internode* by default)"));
  CHECK(has_words(analyze, "--window FROM TO"));
  CHECK(has_words(on_one_line(help_of("diff")), "diff [OPTIONS] BEFORE AFTER"));
}

TEST_CASE("no help has the words of the parser, or lines that are wider than the terminal") {
  for (const char* const command : {"record", "analyze", "report", "doctor", "gate", "diff",
                                    "stats", "summarize", "whatif", "convert", "symbolize"}) {
    const std::string help = help_of(command);
    for (const char* const noise : {"INT", "FLOAT", "REQUIRED", "Excludes", "Needs", "{", "(2x)"}) {
      INFO(command << " " << noise);
      CHECK_FALSE(has_words(help, noise));
    }
    std::istringstream lines(help.substr(0, help.find("\nExample")));
    for (std::string line; std::getline(lines, line);) {
      INFO(line);
      CHECK(line.size() <= 80);
    }
  }
}

TEST_CASE("the options of analyze stand under headings") {
  const std::string help = help_of("analyze");
  const std::size_t scope = help.find("\nScope:\n");
  const std::size_t bottlenecks = help.find("\nBottlenecks:\n");
  const std::size_t tables = help.find("\nTables:\n");
  REQUIRE(tables != std::string::npos);
  CHECK(help.find("\nOptions:\n") < scope);
  CHECK(scope < help.find("--range "));
  CHECK(help.find("--range ") < bottlenecks);
  CHECK(bottlenecks < help.find("--min-saving "));
  CHECK(help.find("--min-saving ") < tables);
  CHECK(tables < help.find("--path "));
}

TEST_CASE("a number that is none of those that help names is refused in the same words") {
  const auto refused = [](const std::vector<std::string>& arguments) {
    const CommandResult result = run_lapscope(arguments);
    CHECK(result.status == 2);
    return result.err;
  };
  CHECK(has_words(refused({"record", "--flush-ms", "5", "true"}), "'5' is not from 10 to 60000"));
  CHECK(has_words(refused({"analyze", "--min-saving", "nan", "t"}), "'nan' is not from 0 to 100"));
  CHECK(has_words(refused({"analyze", "--min-saving-us", "-1", "t"}), "'-1' is not 0 or more"));
  CHECK(has_words(refused({"analyze", "--min-saving-us", "x", "t"}), "'x' is not 0 or more"));
}

}  // namespace
}  // namespace lapscope::test
