#include <filesystem>
#include <set>

#include "analyzer/gate/judge_gate.h"
#include "analyzer/gate_file/gate_file.h"
#include "tests/analyzer/gate/support/made_run.h"
#include "tests/analyzer/summary/support/recorded_run.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Containing;
using namespace std::chrono_literals;

GateFile read(std::string_view text) { return read_gate_file(text, "lapscope.toml"); }

std::string written(std::span<const RunSummary> runs, double margin, const Gate& terms = {}) {
  const auto sentence_of = [](const Remark& trouble) -> std::string {
    return trouble.kind == RemarkKind::few_ops ? "few" : "?";
  };
  return write_gate_file(runs, margin, sentence_of, terms);
}

std::string complaint(std::string_view text) {
  try {
    read(text);
  } catch (const GateFileError& error) {
    return error.what();
  }
  return "";
}

// Returns the complaint about a gate with these lines, which begin in line 2.
std::string complaint_of_gate(const std::string& lines) {
  return complaint("[gate.g]\n" + lines + "\nmin = { copy_hidden = 0.1 }\n");
}

TEST_CASE("a gate file says all that a gate can demand") {
  const GateFile file = read(R"(comm = ["my_reduce*"]
range_threads = "own"
[gate.train]
traces = ["a.sqlite", "b.sqlite"]
range = "train_step"
profiler_brackets = true
device = 1
forbid = ["default-stream-barrier", "event-wait=2%"]
possible = true
baseline = "base.json"
compare = ["wall", "copy_hidden"]
tolerance = ["3%", 0.01, "200us"]
min_ops = 50
max_replay_error = "5%"
allow_other_gpu = true
allow_other_command = true
allow = ["cut-off", "same-run"]

[gate.train.min]
overlap_ratio = 0.5
copy_hidden = "80%"

[gate.train.max]
wall = "9 ms"
kernel_concurrency = 4

[[gate.train.waive]]
condition = "max wall"
reason = "until the new driver is there"
until = 2026-12-31

[gate.another]
max = { idle_ratio = 0.1 }
steady = true

[gate.third]
max = { idle_ratio = 0.1 }
scope = "iterations"
)");
  REQUIRE(file.gates.size() == 3);
  CHECK(file.gates[1].scope == GateScope::steady);
  CHECK_FALSE(file.gates[0].scope);
  CHECK(file.gates[2].scope == GateScope::iterations);
  CHECK(file.communication == std::vector<std::string>{"my_reduce*"});
  CHECK(file.range_threads == RangeThreads::own);
  const Gate& gate = file.gates[0];
  CHECK(gate.name == "train");
  CHECK(gate.traces == std::vector<std::string>{"a.sqlite", "b.sqlite"});
  CHECK(gate.ranges == std::vector<std::string>{"train_step"});
  CHECK(gate.profiler_brackets);
  CHECK(gate.device == 1);
  REQUIRE(gate.bans.size() == 2);
  CHECK(gate.bans[1].allowed == 0.02);
  CHECK(gate.bans[1].place.line == 8);
  CHECK(gate.forbids_possible);
  CHECK_FALSE(file.gates[1].forbids_possible);
  CHECK(gate.baseline->file == "base.json");
  CHECK(gate.baseline->measures == std::vector<const Measure*>{&wall, &copy_hidden});
  CHECK(gate.baseline->tolerance.relative == 0.03);
  CHECK(gate.baseline->tolerance.ratio == 0.01);
  CHECK(gate.baseline->tolerance.ns == 200'000);
  CHECK(gate.least_ops == 50);
  CHECK(gate.most_replay_error == 0.05);
  CHECK(gate.allow_other_gpu);
  CHECK(gate.allow_other_command);
  CHECK(gate.allowed == std::set<std::string, std::less<>>{"cut-off", "same-run"});
  REQUIRE(gate.bounds.size() == 4);
  CHECK(name_of(gate.bounds[0]) == "min overlap_ratio");
  CHECK(gate.bounds[0].place.file == "lapscope.toml");
  CHECK(gate.bounds[0].place.line == 20);
  CHECK(gate.bounds[0].place.column == 17);
  CHECK(gate.bounds[1].value == 0.8);
  CHECK(name_of(gate.bounds[2]) == "max wall");
  CHECK(gate.bounds[2].value == 9e6);
  CHECK(gate.bounds[3].value == 4);
  REQUIRE(gate.waivers.size() == 1);
  CHECK(gate.waivers[0].until == 2026y / 12 / 31);
  CHECK(file.gates[1].name == "another");  // in the order of the file, not sorted by name
}

TEST_CASE("what is no TOML is told with line and column") {
  CHECK_THAT(complaint("[gate.g]\nmin = { copy_hidden = }\n"), Containing("lapscope.toml:2:"));
  CHECK_THAT(complaint("[gate.g]\n[gate.g]\n"), Containing("lapscope.toml:2:"));
  CHECK_THAT(complaint("\xff"), Containing("lapscope.toml:1:"));
}

TEST_CASE("a file that would overflow the parser is refused before it is parsed") {
  std::string key = "a";
  for (int part = 0; part < 20'000; ++part) key += ".a";
  CHECK(complaint("# a comment\n" + key + " = 1\n") ==
        "lapscope.toml:2:1: a line has at most 500 dots");
  CHECK(complaint("[" + key + "]\n") == "lapscope.toml:1:1: a line has at most 500 dots");
  CHECK(complaint(std::string(2 << 20, '#')) ==
        "lapscope.toml:1:1: a gate file has at most 1048576 bytes; this one has more");
  CHECK(complaint("x = 1\n" + std::string(6000, 'a') + " = 1\n") ==
        "lapscope.toml:2:1: a word has at most 5120 bytes");
}

TEST_CASE("letters beyond ASCII outside of quotes are no TOML") {
  CHECK_THAT(complaint("\xc3\xa9 = 1\n"),
             Containing("lapscope.toml:1:1: ") && Containing("\xc3\xa9"));
  CHECK_THAT(complaint("# \xc3\xa9 'x\n\"\xc3\xa9\\\"\xc3\xa9\" = 1\n\xd2\x94"),
             Containing("lapscope.toml:3:1: "));
  CHECK_THAT(complaint("range =0\"\xca\x96\"\n"), Containing("lapscope.toml:1:"));
  CHECK_THAT(complaint("gate = \"\"\"\xc3\xa9\n\xc3\xa9\"\"\"\n"), !Containing("saw"));
}

TEST_CASE("a file without a gate, and a gate without a condition, are refused") {
  CHECK_THAT(complaint(""), Containing("lapscope.toml:1:1: there is no gate"));
  CHECK_THAT(complaint("# nothing\n"), Containing("there is no gate"));
  CHECK_THAT(complaint("[gate]\n"), Containing("there is no gate"));
  CHECK_THAT(complaint("[gate.g]\n"), Containing("lapscope.toml:1:1: in gate 'g', there is no"));
}

TEST_CASE("an unknown key is told with its place and the key that was meant") {
  CHECK_THAT(complaint("[gates.g]\n"), Containing("did you mean 'gate'"));
  CHECK_THAT(complaint_of_gate("fobrid = []"),
             Containing("lapscope.toml:2:") && Containing("did you mean 'forbid'"));
  CHECK_THAT(complaint_of_gate("min_overlap = 0.5"), Containing("unknown key 'min_overlap'"));
  CHECK_THAT(complaint("[gate.g.max]\ncopy_hiden = 0.5\n"),
             Containing("lapscope.toml:2:14:") && Containing("did you mean 'copy_hidden'"));
  CHECK_THAT(complaint_of_gate("[[gate.g.waive]]\nwhy = \"x\"\n[gate.h]"),
             Containing("lapscope.toml:3:") && Containing("unknown key 'why' of a waiver"));
}

TEST_CASE("a value of the wrong kind is told with its place") {
  for (const char* line : {"range = 5",
                           "range = []",
                           "range = [\"\"]",
                           "device = -1",
                           "device = \"0\"",
                           "min_ops = 2.5",
                           "allow_other_gpu = 1",
                           "forbid = 5",
                           "forbid = [\"even-wait\"]",
                           "max = 5",
                           "max = { copy_hidden = true }",
                           "max = { copy_hidden = \"lots\" }",
                           "max = { wall = 5 }",
                           "max = { copy_hidden = nan }",
                           "max = { copy_hidden = inf }",
                           "baseline = 5",
                           "allow = true",
                           "allow = \"losses\"",
                           "max = { idle_ratio = 50 }",
                           "max_replay_error = 10",
                           "max_replay_error = \"5ms\"",
                           "scope = 5",
                           "scope = \"brackets\"",
                           "steady = \"yes\"",
                           "traces = {}"}) {
    INFO(line);
    CHECK_THAT(complaint_of_gate(line), Containing("lapscope.toml:2:"));
  }
  CHECK_THAT(complaint("gate = 5"), Containing("gate must be a table"));
  CHECK_THAT(complaint("[gate]\ng = 5"), Containing("lapscope.toml:2:"));
}

TEST_CASE("contradictory bounds are told with the place of the later one") {
  CHECK_THAT(complaint("[gate.g]\nmin = { copy_hidden = 0.8 }\nmax = { copy_hidden = 0.5 }\n"),
             Containing("lapscope.toml:3:") && Containing("contradict"));
}

TEST_CASE("a scope is named once, and one that is misspelt is told with what was meant") {
  CHECK(complaint_of_gate("scope = \"whole\"\nsteady = false").empty());
  CHECK_THAT(complaint_of_gate("scope = \"whole\"\nsteady = true"),
             Containing("lapscope.toml:3:") && Containing("named twice"));
  CHECK_THAT(complaint_of_gate("scope = \"iteration\""), Containing("did you mean 'iterations'"));
}

TEST_CASE("a tolerance needs a baseline") {
  CHECK_THAT(complaint_of_gate("tolerance = \"5%\""), Containing("no baseline"));
  CHECK_THAT(complaint_of_gate("compare = \"wall\""), Containing("no baseline"));
}

TEST_CASE("a number is a decimal one, and a tolerance allows something less than everything") {
  const auto with = [](const std::string& line) {
    return complaint_of_gate("baseline = \"b.json\"\n" + line);
  };
  CHECK(with("tolerance = [\"5%\", 0.02, \"1ms\"]").empty());
  CHECK_THAT(with("tolerance = []"),
             Containing("lapscope.toml:3:") && Containing("tolerance is empty; leave it out"));
  for (const char* number : {"0x1", "0o1", "0b1"}) {
    CHECK_THAT(with(std::string("tolerance = ") + number),
               Containing("lapscope.toml:") && Containing("decimal number"));
    CHECK_THAT(with(std::string("max = { idle_ratio = ") + number + " }"),
               Containing("decimal number"));
  }
  for (const char* all : {"1", "\"101%\"", "\"1e30s\"", "inf"}) {
    CHECK_FALSE(with(std::string("tolerance = ") + all).empty());
  }
}

TEST_CASE("a waiver needs a condition of the gate, a reason and a date") {
  const auto waived = [](const std::string& lines) {
    return complaint("[gate.g]\nmin = { copy_hidden = 0.1 }\n[[gate.g.waive]]\n" + lines);
  };
  const std::string condition = "condition = \"min copy_hidden\"\n";
  const std::string reason = "reason = \"why\"\n";
  const std::string until = "until = 2026-12-31\n";
  CHECK(waived(condition + reason + until).empty());
  CHECK_THAT(waived(reason + until), Containing("needs a condition"));
  CHECK_THAT(waived(condition + until), Containing("needs a reason"));
  for (const char* blank : {"", " ", "\\t\\n", "\u00a0\u200b", "\\u202e\\U000E0041"}) {
    CHECK_THAT(waived(condition + until + "reason = \"" + blank + "\"\n"),
               Containing("needs a reason"));
  }
  CHECK_THAT(waived(condition + reason), Containing("needs the date"));
  CHECK_THAT(waived(condition + reason + "until = \"2026-12-31\""),
             Containing("lapscope.toml:6:9:") && Containing("without quotes"));
  CHECK_THAT(waived("condition = \"max copy_hidden\"\n" + reason + until),
             Containing("did you mean 'min copy_hidden'"));
}

// Returns whether every run satisfies the bound.
bool asks_for_nothing(const Bound& bound) {
  if (bound.measure->unit == MeasureUnit::ns) return false;
  return bound.sense == Sense::at_least ? bound.value <= 0 : bound.value >= bound.measure->most;
}

TEST_CASE("the first file of any recorded trace can be read, and the trace passes it") {
  Gate terms;
  terms.profiler_brackets = true;
  terms.scope = GateScope::whole;
  for (const auto& entry : std::filesystem::directory_iterator(LAPSCOPE_TEST_TRACES)) {
    if (entry.path().extension() != ".sqlite") continue;
    INFO(entry.path());
    AnalyzeOptions options;
    options.profiler_brackets = true;
    const std::vector<RunSummary> runs = {
        test::recorded_run(entry.path().stem().string(), options)};
    const std::string text = written(runs, 0.1, terms);
    INFO(text);
    GateReport report;
    for (const Gate& gate : read(text).gates) {
      REQUIRE(std::none_of(gate.bounds.begin(), gate.bounds.end(), asks_for_nothing));
      report.gates.push_back(judge_gate(gate, runs, {}, 2026y / 11 / 21));
    }
    REQUIRE(verdict_of(report) == Outcome::passed);
    REQUIRE(counts_of(report).all() >= 3);
  }
}

TEST_CASE("a first file is of the default scope, and says what that has to be") {
  RunSummary run = test::made_run({{&overlap_ratio, 0.3}, {&wall, 900}});
  CHECK_THAT(written(std::vector{run}, 0.1),
             Containing("scope = \"whole\"  # no profiler brackets, loop or NVTX range\n"));
  test::add_range(run, "step");
  test::make_steady(run, {SteadyBy::iterations, 11, 1, 0.9, "a\n*"}, "iterations of 'a\n*'");
  const std::string text = written(std::vector{run}, 0.1);
  CHECK_THAT(text, Containing("scope = \"iterations\"  # \"iterations of 'a\\u000a*'\"\n"));
  const auto gates = read(text).gates;
  REQUIRE(gates.size() == 1);
  CHECK(gates[0].name == "steady state");
  CHECK(gates[0].scope == GateScope::iterations);
  Gate terms;
  terms.scope = GateScope::whole;
  const auto whole = read(written(std::vector{run}, 0.1, terms)).gates;
  REQUIRE(whole.size() == 1);
  CHECK(whole[0].scope == GateScope::whole);
}

TEST_CASE("a first file leaves out bounds that ask for nothing, and says why") {
  const RunSummary run = test::made_run(
      {{&overlap_ratio, -5.475}, {&copy_hidden, 0.015}, {&idle_ratio, 0.919}, {&wall, 1000}});
  const std::string text = written(std::vector{run}, 0.1);
  CHECK_THAT(text, Containing("# overlap_ratio is left out: measured -5.475, and a bound of 0 or "
                              "less asks for no overlap.\n") &&
                       Containing("# copy_hidden is left out: measured 0.015, ") &&
                       Containing("# idle_ratio is left out: measured 0.919, and every run meets a "
                                  "bound of 1.\n"));
  const auto gates = read(text).gates;
  REQUIRE(gates.at(0).bounds.size() == 1);
  CHECK(name_of(gates[0].bounds[0]) == "max wall");
}

TEST_CASE("all repeats pass the first file that was made from them") {
  const std::vector<RunSummary> runs = {
      test::made_run({{&overlap_ratio, 0.3}, {&idle_ratio, 0.2}, {&wall, 900}}),
      test::made_run({{&overlap_ratio, 0.6}, {&idle_ratio, 0.1}, {&wall, 1500}})};
  for (const double margin : {0.0, 0.1, 0.5}) {
    GateReport report;
    for (const Gate& gate : read(written(runs, margin)).gates) {
      report.gates.push_back(judge_gate(gate, runs, {}, 2026y / 11 / 21));
    }
    REQUIRE(verdict_of(report) == Outcome::passed);
  }
}

Gate all_ranges() {
  Gate terms;
  terms.ranges = {"*"};
  return terms;
}

TEST_CASE("names with quotes and control characters survive in a first file") {
  RunSummary run = test::made_run({{&overlap_ratio, 0.3}});
  test::add_range(run, "a \"b\"\\ c\n\x01 é");
  const auto gates = read(written(std::vector{run}, 0.1, all_ranges())).gates;
  REQUIRE(gates.size() == 1);
  CHECK(gates[0].ranges[0] == "a \"b\"\\ c\n\x01 é");
}

TEST_CASE("mistakes are forbidden from the start where causes are known and they are not made") {
  RunSummary run = test::made_run({{&overlap_ratio, 0.3}});
  CHECK(read(written(std::vector{run}, 0.1)).gates[0].bans.empty());
  test::add_findings(run, {{"pageable-copy", 0.2}});
  const auto gates = read(written(std::vector{run}, 0.1)).gates;
  REQUIRE_FALSE(gates[0].bans.empty());
  for (const Ban& ban : gates[0].bans) CHECK(ban.cause != Cause::pageable_copy);
  test::add_findings(run, {}, 0.2);  // the replay deviates
  CHECK(read(written(std::vector{run}, 0.1)).gates[0].bans.empty());
}

TEST_CASE("names of first gates are unique") {
  RunSummary run = test::made_run({{&overlap_ratio, 0.3}, {&wall, 1000}});
  test::add_range(run, "whole");
  Gate terms = all_ranges();
  terms.scope = GateScope::whole;
  const auto gates = read(written(std::vector{run}, 0.5, terms)).gates;
  REQUIRE(gates.size() == 2);
  CHECK(gates[0].name == "whole");
  CHECK(gates[0].ranges.empty());
  CHECK(gates[1].name == "whole (2)");
  CHECK(gates[1].ranges == std::vector<std::string>{"whole"});
}

TEST_CASE("a first file has no gate of what cannot be judged, and says so") {
  RunSummary run = test::made_run({{&overlap_ratio, 0.3}});
  test::add_range(run, "single");
  run.devices[0].scopes[1].ops = 1;
  Gate ranges_too = all_ranges();
  ranges_too.scope = GateScope::whole;
  const std::string text = written(std::vector{run}, 0.1, ranges_too);
  CHECK(read(text).gates.size() == 1);
  CHECK_THAT(text, Containing("# No gate for \"single\": ") && Containing("\"few\"\n"));
}

TEST_CASE("a first file allows what its runs need to be judged") {
  Gate terms;
  terms.allowed = {"cut-off", "yielded"};
  terms.allow_other_gpu = true;
  const auto gates =
      read(written(std::vector{test::made_run({{&overlap_ratio, 0.3}})}, 0.1, terms)).gates;
  CHECK(gates[0].allowed == terms.allowed);
  CHECK(gates[0].allow_other_gpu);
  CHECK_FALSE(gates[0].allow_other_command);
}

TEST_CASE("what the recording could not have shown is not forbidden from the start") {
  RunSummary run = test::made_run({{&overlap_ratio, 0.3}});
  test::add_findings(run, {});
  std::erase(run.provenance->recorded, "STREAM");
  const std::string text = written(std::vector{run}, 0.1);
  const GateFile file = read(text);
  for (const Ban& ban : file.gates[0].bans) {
    CHECK(ban.cause != Cause::default_stream_barrier);
  }
  CHECK_THAT(text, Containing("# Inconclusive: forbid = [\"default-stream-barrier\"]"));
}

}  // namespace
}  // namespace lapscope::analyzer
