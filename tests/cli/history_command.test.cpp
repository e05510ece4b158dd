#include <filesystem>
#include <fstream>
#include <string>

#include "tests/catch.h"
#include "tests/cli/support/run_command.h"
#include "tests/collector/support/temporary_folder.h"

namespace lapscope::test {
namespace {

// Writes summaries of two versions of a program, such as two commits.
void write_summaries(const TemporaryFolder& folder) {
  for (const char* state : {"broken", "fixed"}) {
    const CommandResult result = run_in_process(
        {"summarize", std::string(LAPSCOPE_TEST_TRACES "/pipeline-") + state + ".sqlite", "-o",
         folder / (std::string(state) + ".json")});
    INFO(result.err);
    REQUIRE(result.status == 0);
  }
}

TEST_CASE("a measure is listed commit by commit", "[history]") {
  const TemporaryFolder folder;
  write_summaries(folder);
  std::ofstream(folder / "notes.txt") << "of another tool";
  const CommandResult result = run_lapscope({"history", folder.path()});
  INFO(result.err);
  CHECK(result.status == 0);
  CHECK(result.out ==
        "overlap_ratio of GPU 0 (NVIDIA H200), steady state: cudaProfilerStart/Stop\n"
        "  label   recorded              median  repeats  change\n"
        "  broken  2026-11-22T00:39:43Z  -0.042\n"
        "  fixed   2026-11-22T00:39:46Z   0.547           +0.590\n");
  const CommandResult wall = run_lapscope({"history", folder.path(), "--measure", "wall"});
  CHECK_THAT(wall.out, Containing(" ms"));
}

TEST_CASE("the page has a picture, loads nothing and takes names as text", "[history]") {
  const TemporaryFolder folder;
  write_summaries(folder);
  std::filesystem::rename(folder / "broken.json", folder / "<b>.json");
  const std::string page = folder / "history.html";
  REQUIRE(run_lapscope({"history", folder.path(), "-o", page}).status == 0);
  const std::string html = read_file(page);
  CHECK_THAT(html, Containing("<svg viewBox") && Containing("&lt;b&gt;"));
  CHECK_THAT(html, !Containing("<b>.json") && !Containing("src=\"http"));
}

TEST_CASE("a folder without summaries, a range that none has, and a wrong output are sentences",
          "[history]") {
  const TemporaryFolder folder;
  const CommandResult empty = run_lapscope({"history", folder.path()});
  CHECK(empty.status == 4);
  CHECK_THAT(on_one_line(empty.err), Containing("has no summary. Write one for each commit"));
  CHECK(run_lapscope({"history", folder / "none"}).status == 4);
  write_summaries(folder);
  CHECK(run_lapscope({"history", folder.path(), "--range", "none"}).status == 3);
  CHECK(run_lapscope({"history", folder.path(), "--measure", "none"}).status == 2);
  CHECK(run_lapscope({"history", folder.path(), "-o", folder / "h.pdf"}).status == 2);
}

}  // namespace
}  // namespace lapscope::test
