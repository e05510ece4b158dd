#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "reports/text/layout.h"
#include "tests/analyzer/support/trace_file.h"
#include "tests/catch.h"
#include "tests/cli/support/run_command.h"
#include "tests/collector/support/temporary_folder.h"
#include "tests/support/json.h"

namespace lapscope::test {
namespace {

namespace fs = std::filesystem;
const std::string trace = LAPSCOPE_TEST_TRACES "/stream_pipeline-overlapped.sqlite";

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("several formats in one run stand side by side, each with its extension") {
  const TemporaryFolder folder;
  const CommandResult result =
      run_lapscope({"report", trace, "--format", "text,json", "-o", folder / "r"});
  REQUIRE(result.status == 0);
  REQUIRE(result.out.empty());
  REQUIRE(names_in(folder.path()) == std::vector<std::string>{"r.json", "r.txt"});
  REQUIRE(holds(read_file(folder / "r.txt"), "GPU busy "));
  REQUIRE(parse_json(read_file(folder / "r.json"))["schema"] == "lapscope-report/1");
}

TEST_CASE("stacks of threads that nobody looked at are none, which is said") {
  const CommandResult none = run_lapscope({"analyze", trace, "--format", "folded"});
  REQUIRE(none.status == 0);
  REQUIRE(none.out.empty());
  REQUIRE(holds(none.err, "has no samples of host threads"));
  const CommandResult some = run_lapscope(
      {"analyze", LAPSCOPE_TEST_TRACES "/host/sleep.sqlite", "--format", "folded-waits"});
  REQUIRE(some.status == 0);
  REQUIRE(some.err == "");
  REQUIRE(holds(some.out, ";[sleeps] "));
}

TEST_CASE("pages and Perfetto traces are known by their extensions, too") {
  const TemporaryFolder folder;
  REQUIRE(run_lapscope({"report", trace, "--format", "html,perfetto,markdown", "-o", folder / "r"})
              .status == 0);
  REQUIRE(names_in(folder.path()) ==
          std::vector<std::string>{"r.html", "r.md", "r.perfetto-trace"});
  for (const char* name : {"q.html", "q.perfetto-trace"}) {
    REQUIRE(run_lapscope({"report", trace, "-o", folder / name}).status == 0);
    std::string twin = name;
    twin[0] = 'r';
    REQUIRE((read_file(folder / name) == read_file(folder / twin)));
  }
}

TEST_CASE("other usual extensions are known, and none is taken for text") {
  const TemporaryFolder folder;
  for (const auto& [name, begin] : {std::pair("r.htm", "<!doctype html>"),
                                    {"r.markdown", "### lapscope"},
                                    {"r.pftrace", "\n"}}) {
    INFO(name);
    REQUIRE(run_lapscope({"report", trace, "-o", folder / name}).status == 0);
    CHECK(read_file(folder / name).starts_with(begin));
  }
  const auto before = names_in(folder.path());
  for (const char* command : {"report", "diff"}) {
    std::vector<std::string> arguments = {command, trace, "-o", folder / "r.pdf"};
    if (arguments[0] == "diff") arguments.insert(arguments.begin() + 1, trace);
    const CommandResult refused = run_lapscope(arguments);
    CHECK(refused.status == 2);
    CHECK(holds(refused.err, "'.pdf'"));
    CHECK(
        holds(refused.err, ".txt, .json, .md, .markdown, .html, .htm, .perfetto-trace, .pftrace"));
  }
  CHECK(names_in(folder.path()) == before);
  CHECK(run_lapscope({"report", trace, "--format", "json", "-o", folder / "r.pdf"}).status == 0);
  CHECK(run_lapscope({"report", trace, "-o", folder / "plain"}).status == 0);
  CHECK(holds(read_file(folder / "plain"), "GPU busy "));
}

TEST_CASE("several formats share the name before the extension that it may end in") {
  const TemporaryFolder folder;
  REQUIRE(run_lapscope({"report", trace, "--format", "html,markdown", "-o", folder / "x.html"})
              .status == 0);
  REQUIRE(run_lapscope({"report", trace, "--format", "text,json", "-o", folder / "v1.2"}).status ==
          0);
  REQUIRE(names_in(folder.path()) ==
          std::vector<std::string>{"v1.2.json", "v1.2.txt", "x.html", "x.md"});
}

TEST_CASE("analyze knows the formats that are read, report all of them") {
  const CommandResult result = run_lapscope({"analyze", "--format", "html", trace});
  REQUIRE(result.status == 2);
  REQUIRE(holds(result.err, "markdown"));
}

TEST_CASE("the output's extension tells the format, and - is standard output") {
  const TemporaryFolder folder;
  REQUIRE(run_lapscope({"report", trace, "-o", folder / "r.json"}).status == 0);
  REQUIRE(read_file(folder / "r.json").front() == '{');
  const CommandResult shown = run_lapscope({"report", trace, "--format", "json", "-o", "-"});
  REQUIRE(shown.out == read_file(folder / "r.json"));
  REQUIRE(shown.err == "");
}

TEST_CASE("what stood there is replaced by a complete report only") {
  const TemporaryFolder folder;
  const auto target = folder / "r.json";
  std::ofstream(target) << "before";
  ::chmod(target.c_str(), 0640);
  SECTION("a trace that cannot be read leaves it, and nothing beside it") {
    REQUIRE(run_lapscope({"report", "/none/t.sqlite", "-o", target}).status == 4);
    REQUIRE(read_file(target) == "before");
  }
  SECTION("one of two paths that cannot be written leaves the other") {
    std::filesystem::create_directory(folder / "r.txt");
    const auto result =
        run_lapscope({"report", trace, "--format", "json,text", "-o", folder / "r"});
    REQUIRE(result.status == 4);
    REQUIRE(holds(result.err, "r.txt"));
    REQUIRE(read_file(target) == "before");
    std::filesystem::remove(folder / "r.txt");
  }
  SECTION("a complete one takes its place and its permissions") {
    REQUIRE(run_lapscope({"report", trace, "-o", target}).status == 0);
    REQUIRE(read_file(target).front() == '{');
    struct stat status {};
    REQUIRE(::stat(target.c_str(), &status) == 0);
    REQUIRE((status.st_mode & 0777U) == 0640);
  }
  REQUIRE(names_in(folder.path()) == std::vector<std::string>{"r.json"});
}

TEST_CASE("a symbolic link stays one") {
  const TemporaryFolder folder;
  std::ofstream(folder / "real.json") << "before";
  fs::create_symlink("real.json", folder / "link.json");
  REQUIRE(run_lapscope({"report", trace, "-o", folder / "link.json"}).status == 0);
  REQUIRE(fs::is_symlink(folder / "link.json"));
  REQUIRE(read_file(folder / "real.json").front() == '{');
}

TEST_CASE("a path that cannot be written is told before the work starts") {
  // Neither file can be opened. lapscope opens the output first, so the message names the output.
  for (const char* path : {"/none/r.json", "/"}) {
    const CommandResult result =
        run_lapscope({"report", "/none/t.sqlite", "--format", "json", "-o", path});
    REQUIRE(result.status == 4);
    REQUIRE(holds(result.err, std::string("'") + path + "' cannot be written"));
  }
  const CommandResult full = run_lapscope({"report", trace, "--format", "json", "-o", "/dev/full"});
  REQUIRE(full.status == 4);
  REQUIRE(holds(full.err, "No space left on device"));
}

TEST_CASE("a report does not overwrite the trace that it is about") {
  const TemporaryFolder folder;
  fs::copy_file(trace, folder / "t.json");
  const auto before = read_file(folder / "t.json");
  const CommandResult result = run_lapscope({"report", folder / "t.json", "-o", folder / "t.json"});
  REQUIRE(result.status == 2);
  REQUIRE(read_file(folder / "t.json") == before);
}

TEST_CASE("a wrong command line of report is status 2") {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"report"},
                                             {"report", trace, "--format", "text,xml"},
                                             {"report", trace, "--format", "text,json", "-o", "-"},
                                             {"report", trace, "--open", "-o", "-"}}) {
    const CommandResult result = run_lapscope(arguments);
    REQUIRE(result.status == 2);
    REQUIRE(result.out.empty());
    REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
  }
}

TEST_CASE("a report that cannot be relied on is written, and status 3") {
  const TemporaryFolder folder;
  write_trace(folder / "t.sqlite", [](trace::TraceWriter&) {});
  const CommandResult result =
      run_lapscope({"report", folder / "t.sqlite", "-o", folder / "r.json"});
  REQUIRE(result.status == 3);
  REQUIRE(parse_json(read_file(folder / "r.json"))["verdict"] == "inconclusive");
}

TEST_CASE("where there is no desktop, --open says so and the page is there") {
  const TemporaryFolder folder;
  const CommandResult result =
      run_lapscope({"report", trace, "--open", "-o", folder / "r.txt"},
                   {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}, {"PATH", "/nowhere"}});
  REQUIRE(result.status == 0);
  REQUIRE(holds(result.err, "no desktop"));
  REQUIRE_FALSE(read_file(folder / "r.txt").empty());
}

TEST_CASE("what --open opens is the page, wherever it stands among the formats") {
  const TemporaryFolder folder;
  const fs::path opener = folder / "xdg-open";
  std::ofstream(opener) << "#!/bin/sh\necho \"$1\" >\"$LAPSCOPE_TEST_OPENED.new\"\n"
                           "mv \"$LAPSCOPE_TEST_OPENED.new\" \"$LAPSCOPE_TEST_OPENED\"\n";
  fs::permissions(opener, fs::perms::owner_all);
  const auto opened_by = [&](const std::string& formats) {
    const std::string opened = folder / ("opened-by-" + formats);
    const CommandResult result =
        run_lapscope({"report", trace, "--open", "--format", formats, "-o", folder / "r"},
                     {{"DISPLAY", ":0"},
                      {"PATH", folder.path().string() + ":/usr/bin:/bin"},
                      {"LAPSCOPE_TEST_OPENED", opened}});
    REQUIRE(result.status == 0);
    for (int tries = 0; tries < 500 && !fs::exists(opened); ++tries) ::usleep(10'000);
    return read_file(opened);
  };
  CHECK(opened_by("text,html") == std::string(folder / "r.html") + "\n");
  CHECK(opened_by("markdown,text") == std::string(folder / "r.md") + "\n");
}

TEST_CASE("text to a pipe has no colour, and NO_COLOR and the locale are honoured on a terminal") {
  const std::vector<std::string> analyze = {"analyze", trace};
  REQUIRE_FALSE(holds(run_lapscope(analyze, {{"TERM", "xterm"}}).out, "\x1b"));
  const auto ascii = run_lapscope(analyze, {{"LC_ALL", "C"}}).out;
  REQUIRE(std::all_of(ascii.begin(), ascii.end(),
                      [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
  REQUIRE(holds(run_lapscope(analyze, {{"LC_ALL", "C.UTF-8"}}).out, "█"));
}

TEST_CASE("text to a pipe is as wide as COLUMNS says, where that is a width") {
  const auto shown = [](const std::string& columns) {
    return run_lapscope({"analyze", trace}, {{"COLUMNS", columns}, {"LC_ALL", "C"}}).out;
  };
  // The timeline uses the full width.
  const auto width_of_timeline = [&](const std::string& columns) {
    std::istringstream lines(shown(columns));
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("  compute ")) return line.size();
    }
    return std::size_t{0};
  };
  CHECK(width_of_timeline("150") == width_of_timeline("80") + 70);
  CHECK(width_of_timeline("60") == width_of_timeline("80") - 20);
  for (const char* const none : {"", "0", "wide", "-3", "99999999999999999999999"}) {
    INFO(none);
    CHECK(shown(none) == shown("80"));
  }
}

// script(1) runs a command in a terminal.
TEST_CASE("on a terminal, text uses the full width, and colours unless NO_COLOR is set") {
  if (std::system("command -v script >/dev/null") != 0) {
    skip_because("script(1) is not installed");
  }
  const TemporaryFolder folder;
  const auto shown = [&](const std::string& settings) {
    const std::string command = "cd '" LAPSCOPE_TEST_TRACES "' && script -qec \"stty cols 60; " +
                                settings + " '" LAPSCOPE_COMMAND "' analyze '" +
                                fs::path(trace).filename().string() + "'\" /dev/null >'" +
                                std::string(folder / "out") + "' </dev/null";
    REQUIRE(std::system(command.c_str()) == 0);
    return read_file(folder / "out");
  };
  const std::string coloured = shown("TERM=xterm NO_COLOR=");
  REQUIRE(holds(coloured, "\x1b[1m"));
  REQUIRE_FALSE(holds(shown("TERM=xterm NO_COLOR=1"), "\x1b[1m"));
  REQUIRE_FALSE(holds(shown("TERM=dumb NO_COLOR="), "\x1b[1m"));
  REQUIRE(holds(coloured, "copy to device"));
  std::istringstream lines(coloured);
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    INFO(line);
    CHECK(reports::display_width(line) <= 60);
    widest = std::max(widest, reports::display_width(line));
  }
  CHECK(widest > 56);  // the full width is used
}

}  // namespace
}  // namespace lapscope::test
