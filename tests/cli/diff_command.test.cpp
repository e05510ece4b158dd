#include <algorithm>
#include <filesystem>

#include "tests/analyzer/support/trace_file.h"
#include "tests/catch.h"
#include "tests/cli/support/run_command.h"
#include "tests/support/json.h"

namespace lapscope::test {
namespace {

const std::string before = LAPSCOPE_TEST_TRACES "/stream_pipeline-default-stream.sqlite";
const std::string after = LAPSCOPE_TEST_TRACES "/stream_pipeline-overlapped.sqlite";

TEST_CASE("a comparison is written in several formats at once, as reports are") {
  const TemporaryFolder folder;
  const CommandResult result = run_lapscope(
      {"diff", before, after, "--format", "text,json,markdown,html,perfetto", "-o", folder / "d"});
  REQUIRE(result.status == 0);
  REQUIRE(result.out.empty());
  REQUIRE(names_in(folder.path()) ==
          std::vector<std::string>{"d.html", "d.json", "d.md", "d.perfetto-trace", "d.txt"});
  REQUIRE(parse_json(read_file(folder / "d.json"))["schema"] == "lapscope-diff/1");
  REQUIRE(run_lapscope({"diff", before, after, "-o", folder / "e.html"}).status == 0);
  REQUIRE((read_file(folder / "e.html") == read_file(folder / "d.html")));
  REQUIRE(run_lapscope({"diff", before, after, "--format", "json", "-o", "-"}).out ==
          read_file(folder / "d.json"));
}

TEST_CASE(
    "a page of a summary has no timeline for it, and a Perfetto trace cannot be made of one") {
  const TemporaryFolder folder;
  const std::string summary = folder / "base.json";
  REQUIRE(run_lapscope({"summarize", before, "-o", summary}).status == 0);
  const auto count = [](const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  };
  const CommandResult page = run_lapscope({"diff", summary, after, "--format", "html", "-o", "-"});
  REQUIRE(page.status == 0);
  REQUIRE(count(page.out, "<section class=\"timeline\" data-report=\"1\"") == 1);
  REQUIRE(count(page.out, "A, before: a summary has no timeline.") == 1);
  const CommandResult trace =
      run_lapscope({"diff", summary, after, "-o", folder / "d.perfetto-trace"});
  REQUIRE(trace.status == 2);
  REQUIRE(count(trace.err, "'" + summary + "' is a summary") == 1);
  REQUIRE(names_in(folder.path()) == std::vector<std::string>{"base.json"});
}

TEST_CASE("a rank is compared with the same rank of a summary of all ranks") {
  const TemporaryFolder folder;
  const std::string summary = folder / "base.json";
  const std::string ranks = LAPSCOPE_TEST_TRACES "/ranks/straggler-kernels-";
  REQUIRE(run_lapscope({"summarize", ranks + "broken", "-o", summary}).status == 0);
  for (const char* const rank : {"/0.sqlite", "/1.sqlite"}) {
    const CommandResult result = run_lapscope({"diff", summary, ranks + "fixed" + rank});
    CHECK(result.status == 0);
    CHECK(result.out.find(" × faster") != std::string::npos);
  }
}

TEST_CASE("a wrong command line of diff is status 2, and nothing is written") {
  const TemporaryFolder folder;
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"diff", before},
           {"diff", before, after, "--format", "xml"},
           {"diff", before, after, "--format", "text,json", "-o", "-"},
           {"diff", before, after, "--open", "-o", "-"},
           {"diff", before, after, "--open"},
           {"diff", before, after, "-o", after},
           {"diff", before, after, "--before", before, "-o", folder / "d.html"}}) {
    const CommandResult result = run_lapscope(arguments);
    REQUIRE(result.status == 2);
    REQUIRE(result.out.empty());
    REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
  }
  REQUIRE(names_in(folder.path()).empty());
  REQUIRE(run_lapscope({"diff", before, after, "-o", "/none/d.html"}).status == 4);
  REQUIRE(run_lapscope({"diff", "/none/t.sqlite", after, "-o", folder / "d.html"}).status == 4);
  REQUIRE(names_in(folder.path()).empty());
}

}  // namespace
}  // namespace lapscope::test
