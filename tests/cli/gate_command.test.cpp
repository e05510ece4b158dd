#include <stdlib.h>

#include <algorithm>
#include <filesystem>

#include "tests/analyzer/support/trace_file.h"
#include "tests/catch.h"
#include "tests/cli/support/run_command.h"
#include "tests/support/json.h"

// Exit statuses and formats of `gate`, `summarize` and `diff` for recorded traces.
namespace lapscope::test {
namespace {

using nlohmann::json;
using Arguments = std::vector<std::string>;

// Tests must not write into the summary of a GitHub Actions job.
const int cleared = ::unsetenv("GITHUB_ACTIONS") + ::unsetenv("GITHUB_STEP_SUMMARY");

const std::string good_trace = LAPSCOPE_TEST_TRACES "/stream_pipeline-overlapped.sqlite";
const std::string bad_trace = LAPSCOPE_TEST_TRACES "/stream_pipeline-serial.sqlite";

std::string written(const TemporaryFolder& folder, const char* name, const std::string& text) {
  write_file(folder / name, text);
  return folder / name;
}

std::string with_losses(const TemporaryFolder& folder) {
  write_trace(folder / "lossy.sqlite", [](trace::TraceWriter& trace) {
    trace.insert(kernel(0, 10));
    trace.insert(kernel(5, 20));
    trace.insert(schema::LossRow{"dropped-records", 5, std::nullopt});
  });
  return folder / "lossy.sqlite";
}

struct Case {
  int status;
  Arguments arguments;
};

void check(const std::vector<Case>& cases) {
  for (const Case& each : cases) {
    std::string line;
    for (const std::string& argument : each.arguments) line += argument + ' ';
    INFO(line);
    const CommandResult result = run_lapscope(each.arguments);
    INFO(result.out << result.err);
    CHECK(result.status == each.status);
  }
}

TEST_CASE("gate: status 0 for what holds, 1 for what does not") {
  check({{0, {"gate", good_trace, "--min-overlap", "0.5", "--max-idle", "5%"}},
         {0, {"gate", good_trace, "--min", "copy_hidden=0.8", "--max", "wall=10ms"}},
         {0, {"gate", good_trace, "--range", "pipeline", "--min-overlap", "0.6"}},
         {0, {"gate", good_trace, "--profiler-brackets", "--min-overlap", "0.6"}},
         {1, {"gate", bad_trace, "--min-overlap", "0.5"}},
         {1, {"gate", bad_trace, "--max-idle", "5%", "--min", "copy_hidden=0.8"}},
         {1, {"gate", good_trace, "--max", "kernel_overlap=0"}}});
}

TEST_CASE("gate: status 2 for what cannot be meant, in one line") {
  const TemporaryFolder folder;
  const std::string empty = written(folder, "empty.toml", "");
  const std::string no_condition = written(folder, "no.toml", "[gate.g]\n");
  const std::string misspelt = written(folder, "bad.toml", "[gate.g]\nmni = {}\n");
  const std::string own_traces =
      written(folder, "own.toml", "[gate.g]\ntraces = ['t']\nmax = { wall = '1s' }\n");
  for (const Arguments& arguments : {
           Arguments{"gate"},
           {"gate", good_trace},
           {"gate", "--min-overlap", "0.5"},
           {"gate", good_trace, "--min-overlap", "half"},
           {"gate", good_trace, "--min-overlap", "nan"},
           {"gate", good_trace, "--min-overlap", "50"},
           {"gate", good_trace, "--min", "copy_hiden=0.5"},
           {"gate", good_trace, "--min", "wall=5"},
           {"gate", good_trace, "--min", "wall=0ms"},
           {"gate", good_trace, "--min", "idle_ratio=-5%"},
           {"gate", good_trace, "--min", "copy_hidden=0.8", "--max", "copy_hidden=0.5"},
           {"gate", good_trace, "--forbid", "event_wait_"},
           {"gate", good_trace, "--min-overlap", "0.5", "--tolerance", "5%"},
           {"gate", good_trace, "--min-overlap", "0.5", "--compare", "wall"},
           {"gate", good_trace, "--baseline", bad_trace, "--compare", "busy"},
           {"gate", good_trace, "--baseline", bad_trace, "--tolerance", "-5%"},
           {"gate", good_trace, "--baseline", bad_trace, "--tolerance", "5"},
           {"gate", good_trace, "--max-idle", "50"},
           {"gate", good_trace, "--forbid", "event-wait=50"},
           {"gate", good_trace, "--forbid", "event-wait", "--max-replay-error", "10"},
           {"gate", good_trace, "--max-idle", "1", "--allow", "losses"},
           {"gate", good_trace, "--allow", "cut-off"},
           {"gate", good_trace, "--min-overlap", "0.5", "--format", "xml"},
           {"gate", good_trace, "--min-overlap", "0.5", "--write", "junit"},
           {"gate", good_trace, "--min-overlap", "0.5", "--write", "xml=x"},
           {"gate", good_trace, good_trace, "--min-overlap", "0.5"},
           {"gate", good_trace, "--range", "pipeline", "--config", own_traces},
           {"gate", good_trace, "--config", own_traces},
           {"gate", good_trace, "--config", empty},
           {"gate", good_trace, "--config", no_condition},
           {"gate", good_trace, "--config", misspelt},
           {"gate", "--init"},
           {"gate", "--init", good_trace, "-o", good_trace},
           {"gate", "--init", good_trace, "--margin", "x", "-o", "-"},
           {"gate", "--init", good_trace, "--min-overlap", "0.5", "-o", "-"},
           {"gate", "--init", good_trace, "--config", own_traces, "-o", "-"},
           {"gate", "--init", good_trace, good_trace, "-o", "-"},
           {"gate", good_trace, "--min-overlap", "0.5", "-o", "x.toml"},
           {"gate", good_trace, "--min-overlap", "0.5", "--steady", "--whole"},
           {"gate", good_trace, "--whole", "--config", own_traces},
       }) {
    std::string line;
    for (const std::string& argument : arguments) line += argument + ' ';
    INFO(line);
    const CommandResult result = run_lapscope(arguments);
    INFO(result.err);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
  }
  CHECK_THAT(run_lapscope({"gate", good_trace, "--config", misspelt}).err,
             Containing("bad.toml:2:") && Containing("did you mean 'min'"));
}

TEST_CASE("an option without its value is refused, and no condition dropped") {
  for (const Arguments& arguments : {
           Arguments{"gate", good_trace, "--max-idle", "5%", "--baseline"},
           {"gate", good_trace, "--min", "copy_hidden=0.1", "--max-idle"},
           {"gate", good_trace, "--min", "copy_hidden=0.1", "--min-overlap"},
           {"gate", good_trace, "--max-idle", "5%", "--max"},
           {"gate", good_trace, "--max-idle", "5%", "--forbid"},
           {"gate", good_trace, "--max-idle", "5%", "--config"},
           {"gate", good_trace, "--max-idle", "5%", "--range"},
           {"gate", good_trace, "--forbid", "event-wait", "--max-replay-error"},
           {"summarize", good_trace, "--range"},
           {"diff", bad_trace, good_trace, "--comm"},
           {"analyze", good_trace, "--iterations"},
           {"whatif", good_trace, "--fix", "host-sync", "--range"},
           {"report", good_trace, "--range"},
           {"record", "-o"},
       }) {
    INFO(arguments.front() << " " << arguments.back());
    Arguments emptied = arguments;
    emptied.emplace_back("");
    const CommandResult result = run_lapscope(emptied);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, Containing("empty"));
    emptied = arguments;
    emptied.back() += "=";
    CHECK(run_lapscope(emptied).status == 2);
  }
}

TEST_CASE("gate: status 3 for what cannot be told, and the result says why") {
  const TemporaryFolder folder;
  const std::string lossy = with_losses(folder);
  const std::string killed = LAPSCOPE_TEST_TRACES "/oddities/killed.sqlite";
  std::filesystem::copy_file(good_trace, folder / "copy.sqlite");
  write_trace(folder / "idle.sqlite", [](trace::TraceWriter&) {});
  write_trace(folder / "one.sqlite", [](trace::TraceWriter& trace) { trace.insert(kernel(0, 9)); });
  check({{3, {"gate", good_trace, "--min", "comm_hidden=0.1"}},
         {3, {"gate", good_trace, "--range", "nope", "--min-overlap", "0.1"}},
         {3, {"gate", good_trace, "--device", "7", "--min-overlap", "0.1"}},
         {3, {"gate", lossy, "--min-overlap", "0.1"}},
         {3, {"gate", folder / "idle.sqlite", "--min-overlap", "0.1"}},
         {3, {"gate", folder / "one.sqlite", "--max-idle", "0.9"}},
         {3, {"gate", good_trace, "--min-ops", "1000", "--min-overlap", "0.1"}},
         {3, {"gate", good_trace, bad_trace, "--max-idle", "0.9"}},
         {3, {"gate", good_trace, bad_trace, "--min-overlap", "0.3", "--allow-other-command"}},
         {3, {"gate", good_trace, "--baseline", lossy}},
         {3, {"gate", good_trace, "--baseline", good_trace}},
         {3, {"gate", good_trace, folder / "copy.sqlite", "--min-overlap", "0.1"}},
         {3, {"gate", killed, "--max", "wall=100s"}},
         {0, {"gate", killed, "--max", "wall=100s", "--allow", "cut-off"}},
         {3, {"gate", "--init", killed, "-o", "-"}},
         {0, {"gate", "--init", killed, "--allow", "cut-off", "-o", "-"}},
         {3, {"gate", "--init", good_trace, "--range", "nope", "-o", "-"}},
         {3, {"gate", "--init", folder / "one.sqlite", "-o", "-"}},
         {3, {"gate", "--init", lossy, "-o", "-"}},
         {3, {"summarize", lossy}},
         {3, {"summarize", good_trace, "--range", "nope"}},
         {3, {"diff", good_trace, lossy}}});
  CHECK_THAT(run_lapscope({"gate", lossy, "--min-overlap", "0.1"}).out,
             Containing("5 records were lost"));
}

TEST_CASE("gate: a forbidden cause fails where it is found, and only there") {
  const std::string range = "default-stream-kernel";
  const std::string broken = LAPSCOPE_TEST_TRACES "/default-stream-kernel-broken.sqlite";
  const std::string fixed = LAPSCOPE_TEST_TRACES "/default-stream-kernel-fixed.sqlite";
  const std::string code = "default-stream-barrier";
  // The replay of this trace is off by 0.05 %. The replays of many other traces are exact.
  const std::string uneven = LAPSCOPE_TEST_TRACES "/pipeline-fixed.sqlite";
  check({{1, {"gate", broken, "--range", range, "--forbid", code}},
         {1, {"gate", broken, "--range", range, "--forbid", code + "=10%"}},
         {0, {"gate", broken, "--range", range, "--forbid", code + "=90%"}},
         {0, {"gate", broken, "--range", range, "--forbid", "pageable-copy"}},
         {0, {"gate", fixed, "--range", range, "--forbid", code}},
         {0, {"gate", uneven, "--whole", "--forbid", code, "--max-replay-error", "1%"}},
         {3, {"gate", uneven, "--whole", "--forbid", code, "--max-replay-error", "0"}}});
  const CommandResult result =
      run_lapscope({"gate", broken, "--range", range, "--min-overlap", "0.5"});
  CHECK_THAT(result.out, Containing("default-stream-barrier ("));
}

TEST_CASE("gate: what is forbidden beyond an allowance need be no finding") {
  const std::string broken = LAPSCOPE_TEST_TRACES "/default-stream-memcpy-broken.sqlite";
  const std::string code = "default-stream-barrier";  // costs 1.9 % of the whole run
  const TemporaryFolder folder;
  const std::string base = folder / "base.json";
  check({{0, {"gate", broken, "--whole", "--forbid", code}},
         {1, {"gate", broken, "--whole", "--forbid", code + "=1%"}},
         {0, {"gate", broken, "--whole", "--forbid", code + "=2%"}},
         {0, {"summarize", broken, "-o", base}},
         {1, {"gate", base, "--whole", "--forbid", code + "=1%"}},
         {0, {"gate", base, "--whole", "--forbid", code + "=2%"}}});
}

TEST_CASE("gate: a cause is not absent that nobody looked for or recorded the signs of") {
  const TemporaryFolder folder;
  const std::string base = folder / "base.json";
  const std::string blind = folder / "blind.sqlite";
  check({{0, {"summarize", good_trace, "-o", base}}});
  json summary = parse_json(read_file(base));
  for (json& scope : summary["runs"][0]["devices"][0]["scopes"]) scope["causes"] = nullptr;
  write_file(base, summary.dump());
  std::filesystem::copy_file(LAPSCOPE_TEST_TRACES "/event-chain-broken.sqlite", blind);
  schema::Database(blind, schema::Database::Mode::create)
      .execute(
          "DROP TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT;"
          "UPDATE LAPSCOPE_RECORDS SET enableResult = NULL, received = 0 WHERE name = "
          "'CUDA_EVENT'");
  const CommandResult unlooked = run_lapscope({"gate", base, "--forbid", "event-wait"});
  CHECK(unlooked.status == 3);
  CHECK_THAT(unlooked.out, Containing("not analyzed"));
  const CommandResult unseen = run_lapscope({"gate", blind, "--whole", "--forbid", "event-wait"});
  CHECK(unseen.status == 3);
  CHECK_THAT(unseen.out, Containing("CUDA_EVENT"));
}

TEST_CASE("gate: --possible forbids what a question leaves open, too, also in a summary") {
  const TemporaryFolder folder;
  const std::string chain = LAPSCOPE_TEST_TRACES "/graph-chain-broken.sqlite";
  const std::string summary = folder / "chain.json";
  REQUIRE(run_lapscope({"summarize", chain, "-o", summary}).status == 0);
  const std::string old = folder / "old.json";
  json untold = parse_json(read_file(summary));
  for (json& scope : untold["runs"][0]["devices"][0]["scopes"]) scope["causes"].erase("possible");
  write_file(old, untold.dump());
  check({{0, {"gate", chain, "--forbid", "graph-edge"}},
         {1, {"gate", chain, "--forbid", "graph-edge", "--possible"}},
         {1, {"gate", summary, "--forbid", "graph-edge", "--possible"}},
         {1, {"gate", chain, "--forbid", "graph-edge=70%", "--possible"}},
         {0, {"gate", chain, "--forbid", "graph-edge=80%", "--possible"}},
         {0, {"gate", chain, "--forbid", "event-wait", "--possible"}},
         {3, {"gate", old, "--forbid", "graph-edge", "--possible"}},
         {2, {"gate", chain, "--max-idle", "0.5", "--possible"}}});
  CHECK_THAT(on_one_line(run_lapscope({"gate", chain, "--forbid", "graph-edge", "--possible"}).out),
             Containing("That is possible: the trace does not show whether it holds."));
}

TEST_CASE("summarize takes no option that a gate could not see in the summary") {
  check({{2, {"summarize", good_trace, "--min-saving", "100"}},
         {2, {"summarize", good_trace, "--window", "0", "5"}},
         {2, {"summarize", good_trace, "--no-causes"}}});
}

TEST_CASE("gate: status 4 for what cannot be read or written") {
  const TemporaryFolder folder;
  const std::string text = written(folder, "text", "hello");
  const std::string summary = written(folder, "base.json", "{\"schema\": \"lapscope-summary/1\"}");
  check({{4, {"gate", "/none.sqlite", "--min-overlap", "0.5"}},
         {4, {"gate", text, "--min-overlap", "0.5"}},
         {4, {"gate", summary, "--min-overlap", "0.5"}},
         {4, {"gate", good_trace, "--baseline", "/none.json"}},
         {4, {"gate", good_trace, "--baseline", summary}},
         {4, {"gate", good_trace, "--config", "/none.toml"}},
         {4, {"gate", good_trace, "--config", folder.path()}},
         {4, {"gate", good_trace, "--min-overlap", "0.5", "--write", "junit=/none/x.xml"}},
         {4, {"gate", "--init", good_trace, "-o", "/none/lapscope.toml"}},
         {4, {"summarize", "/none.sqlite"}},
         {4, {"summarize", good_trace, "-o", "/none/base.json"}},
         {4, {"diff", good_trace, "/none.sqlite"}}});
}

TEST_CASE("gate: a failure is a failure whatever else cannot be told") {
  const CommandResult result =
      run_lapscope({"gate", bad_trace, "--min", "comm_hidden=0.1", "--min-overlap", "0.5"});
  CHECK(result.status == 1);
  CHECK_THAT(result.out, Containing("1 failed, 1 inconclusive"));
}

TEST_CASE("gate: a gate file is found, its paths are seen from where it lies") {
  const TemporaryFolder folder;
  std::filesystem::copy_file(good_trace, folder / "run.sqlite");
  const std::string config = written(folder, "lapscope.toml",
                                     "[gate.g]\ntraces = ['run.sqlite']\n"
                                     "min = { overlap_ratio = 0.5 }\n");
  check({{0, {"gate", "--config", config}}});
  CHECK(WEXITSTATUS(std::system(
            ("cd '" + folder.path().string() + "' && '" LAPSCOPE_COMMAND "' gate > /dev/null")
                .c_str())) == 0);
}

TEST_CASE("gate --init writes a file that the trace passes, and replaces none") {
  const TemporaryFolder folder;
  const std::string config = folder / "lapscope.toml";
  check({{0, {"gate", "--init", good_trace, "--range", "tile *", "-o", config}},
         {0, {"gate", good_trace, "--config", config}},
         {1, {"gate", bad_trace, "--config", config}},
         {2, {"gate", "--init", good_trace, "-o", config}}});
}

TEST_CASE("gate --init writes the scope that it took the bounds from") {
  const TemporaryFolder folder;
  const std::string config = folder / "lapscope.toml";
  check({{0, {"gate", "--init", good_trace, "-o", config}},
         {0, {"gate", good_trace, "--config", config}},
         {1, {"gate", bad_trace, "--config", config}},
         // The default scope of this trace is the whole run.
         {3, {"gate", LAPSCOPE_TEST_TRACES "/oddities/fork.sqlite", "--config", config}}});
  CHECK_THAT(read_file(config), Containing("scope = \"profiler\"  # \"cudaProfilerStart/Stop\""));
  CHECK_THAT(run_lapscope({"gate", "--init", good_trace, "--whole", "-o", "-"}).out,
             Containing("[gate.whole]\nscope = \"whole\"\n"));
}

TEST_CASE("a summary stands in for its trace, and holds repeats") {
  const TemporaryFolder folder;
  std::filesystem::create_symlink(good_trace, folder / "linked.sqlite");
  std::filesystem::copy_file(good_trace, folder / "copied.sqlite");
  const std::string base = folder / "base.json";
  check({{0, {"summarize", good_trace, "--range", "pipeline", "-o", base}},
         {0, {"gate", base, "--range", "pipeline", "--min-overlap", "0.6"}},
         {3, {"gate", base, "--range", "tile 1", "--min-overlap", "0.6"}},
         {3, {"gate", good_trace, "--baseline", base, "--tolerance", "0%"}},
         {3, {"gate", good_trace, base, "--min-overlap", "0.1"}},
         {0, {"gate", good_trace, "--baseline", base, "--tolerance", "0%", "--allow", "same-run"}},
         {1, {"gate", bad_trace, "--baseline", base, "--tolerance", "5%"}},
         {0, {"diff", base, good_trace}},
         {2, {"summarize", good_trace, good_trace}},
         {2, {"summarize", good_trace, folder / "linked.sqlite"}},
         {2, {"summarize", good_trace, folder / "copied.sqlite"}},
         {2, {"gate", good_trace, folder / "linked.sqlite", "--min-overlap", "0.1"}}});
  CHECK(std::filesystem::file_size(base) < 12'288);
}

TEST_CASE("gate: results go to files as well, in the format that is named") {
  const TemporaryFolder folder;
  const CommandResult result =
      run_lapscope({"gate", bad_trace, "--min-overlap", "0.5", "--format", "json", "--write",
                    "junit=" + (folder / "gate.xml").string(), "--write",
                    "gitlab=" + (folder / "gate.json").string()});
  CHECK(result.status == 1);
  CHECK(parse_json(result.out)["verdict"] == "failed");
  CHECK_THAT(read_file(folder / "gate.xml"), Containing("<failure type=\"failed\""));
  CHECK(parse_json(read_file(folder / "gate.json")).size() == 1);
  CHECK(result.err == "");
}

TEST_CASE("gate: outside of GitHub Actions nobody is told") {
  REQUIRE(cleared == 0);
  CHECK(run_lapscope({"gate", bad_trace, "--min-overlap", "0.5"}).err == "");
}

TEST_CASE("gate: GitHub is told on stderr and in the job's summary, which is added to") {
  const TemporaryFolder folder;
  const std::string summary = written(folder, "summary.md", "before\n");
  const Arguments arguments = {"gate", bad_trace, "--min-overlap", "0.5", "--format", "json"};
  const CommandResult result =
      run_lapscope(arguments, {{"GITHUB_ACTIONS", "true"}, {"GITHUB_STEP_SUMMARY", summary}});
  CHECK(result.status == 1);
  CHECK_THAT(result.err, Containing("::error file="));
  CHECK(parse_json(result.out)["verdict"] == "failed");
  CHECK_THAT(read_file(summary), Containing("before\n## ❌ lapscope gate: failed"));
  CHECK(run_lapscope(arguments, {{"GITHUB_ACTIONS", ""}}).err == "");
  Arguments forced = arguments;
  forced.emplace_back("--github");
  CHECK_THAT(run_lapscope(forced, {{"GITHUB_STEP_SUMMARY", ""}}).err, Containing("::error file="));
  CHECK(run_lapscope(forced, {{"GITHUB_STEP_SUMMARY", "/none/s.md"}}).status == 4);
}

TEST_CASE("diff shows what differs, in every format") {
  const json diff =
      parse_json(run_lapscope({"diff", bad_trace, good_trace, "--format", "json"}).out);
  CHECK(diff["works"][0]["measures"]["overlap_ratio"]["difference"] > 0.5);
  CHECK_THAT(run_lapscope({"diff", bad_trace, good_trace}).out,
             Containing("too few to separate small differences"));
  CHECK_THAT(run_lapscope({"diff", bad_trace, good_trace, "--format", "markdown"}).out,
             Containing("| overlap_ratio |"));
  check({{2, {"diff", bad_trace}},
         {2, {"diff", bad_trace, good_trace, "--before", bad_trace}},
         {0, {"diff", bad_trace, good_trace, "--range", "pipeline"}}});
}

TEST_CASE("gate, diff and summarize have help with an example") {
  for (const char* command : {"gate", "diff", "summarize"}) {
    const CommandResult result = run_lapscope({command, "--help"});
    CHECK(result.status == 0);
    CHECK_THAT(result.out, Containing("Example"));
  }
}

}  // namespace
}  // namespace lapscope::test
