#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/catch.h"
#include "tests/cli/support/run_command.h"
#include "tests/collector/support/temporary_folder.h"
#include "tests/support/json.h"

// Compares predicted with measured savings of recorded cases of tests/gpu/rank_programs.py, on two
// and four GPUs.
namespace lapscope::test {
namespace {

namespace fs = std::filesystem;

const fs::path recordings = fs::path(LAPSCOPE_TEST_TRACES) / "ranks";

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Compares the middles of the ranges of savings. Returns the finding or question with the greatest
// middle, or null if the run has none.
nlohmann::json first_of(const nlohmann::json& run) {
  nlohmann::json first;
  double most = 0;
  for (const char* list : {"findings", "questions"}) {
    for (const auto& finding : run[list]) {
      const double saving =
          finding["saving_ns"].get<double>() + finding["most_saving_ns"].get<double>();
      if (!first.is_null() && saving <= most) continue;
      most = saving;
      first = finding;
    }
  }
  return first;
}

// Returns the share of the wall that the fix saved in bare runs.
double measured_saving(const nlohmann::json& walls, const nlohmann::json& finding) {
  const std::string micro_batches = std::to_string(finding.value("micro_batches", std::int64_t{0}) *
                                                   finding.value("times_as_many", std::int64_t{0}));
  const auto& fixed = walls[walls.contains(micro_batches) ? micro_batches : "fixed"];
  return 1 - median(fixed) / median(walls["broken"]);
}

// Checks that the first finding is the planted cause on the right rank, unless the catalogue says
// that another cause comes first. The measured saving must be within the predicted interval or at
// most 5 percentage points outside, unless the catalogue lists a miss. A listed miss must be real.
void check_first(const nlohmann::json& recorded, const nlohmann::json& run) {
  const nlohmann::json first = first_of(run);
  REQUIRE_FALSE(first.is_null());
  if (recorded.contains("first_is")) {
    CHECK(first["code"] == recorded["first_is"]);
    return;
  }
  CHECK(first["code"] == recorded["first"]);
  for (const char* key : {"rank", "late_by"}) {
    if (recorded.contains(key)) CHECK(first[key] == recorded[key]);
  }
  if (recorded.contains("no_pair") || !recorded.contains("bare_ms")) return;
  const double saved = measured_saving(recorded["bare_ms"], first);
  const double window = run["window_ns"].get<double>();
  const double least = first["saving_ns"].get<double>() / window;
  const double most = first["most_saving_ns"].get<double>() / window;
  CHECK(most - least < 0.3);
  const double off = std::abs(saved - std::clamp(saved, least, most));
  INFO("saved " << saved << ", predicted " << least << " to " << most);
  CHECK((off < 0.05) != recorded.contains("miss"));
}

TEST_CASE("what was planted comes first, with its rank", "[ranks]") {
  const auto catalogue = parse_json(read_file(recordings / "catalogue.json"));
  REQUIRE(catalogue["traces"].size() >= 7);
  for (const auto& trace : catalogue["traces"]) {
    const auto folder = trace["folder"].get<std::string>();
    INFO(folder);
    const CommandResult result = run_lapscope({"analyze", "--format", "json", recordings / folder});
    INFO(result.err);
    REQUIRE(result.status == 0);
    if (trace.contains("first")) check_first(trace, parse_json(result.out));
  }
}

// The folder `name` has the summaries of several runs. Checks that each run has `ranks` ranks.
// Returns for how many runs the planted cause comes first.
int check_summaries(const std::string& name, std::size_t ranks) {
  const auto catalogue = parse_json(read_file(recordings / name / "catalogue.json"));
  int planted = 0;
  for (const auto& summary : catalogue["summaries"]) {
    const auto folder = summary["folder"].get<std::string>();
    INFO(folder);
    const CommandResult result =
        run_lapscope({"analyze", "--summaries", "--format", "json", recordings / name / folder});
    INFO(result.err);
    const bool is_inconclusive = summary.contains("is_inconclusive");
    REQUIRE(result.status == (is_inconclusive ? 3 : 0));
    const auto run = parse_json(result.out);
    CHECK(run["ranks"].size() == ranks);
    if (is_inconclusive) continue;
    CHECK(run["collectives"].get<int>() + run["exchanges"].get<int>() >= 5);
    if (!summary.contains("first")) {
      CHECK(run["findings"].empty() != summary.contains("miss"));
      continue;
    }
    check_first(summary, run);
    if (!summary.contains("first_is")) ++planted;
  }
  return planted;
}

TEST_CASE("summaries of ranks say what was planted first", "[ranks]") {
  CHECK(check_summaries("two", 2) == 16);
  CHECK(check_summaries("four", 4) == 5);
}

// Changes a rank's times as if its clock gained `drift` ns per ns.
void stretch(nlohmann::ordered_json& rank, double drift) {
  const auto by_clock = [drift](std::int64_t ns) {
    return ns + std::llround(drift * static_cast<double>(ns));
  };
  // A list stores differences between times. A time is the sum of all differences up to it.
  const auto stretch_list = [&](nlohmann::ordered_json& list, std::size_t kinds, std::size_t of) {
    std::int64_t before = 0;
    for (std::size_t i = 0; i < list.size(); i += of) {
      const std::int64_t start = before + list[i + kinds].get<std::int64_t>();
      const std::int64_t end = start + list[i + kinds + 1].get<std::int64_t>();
      list[i + kinds] = by_clock(start) - by_clock(before);
      list[i + kinds + 1] = by_clock(end) - by_clock(start);
      before = kinds == 0 ? end : start;
    }
  };
  stretch_list(rank["collectives"], 1, 3);
  stretch_list(rank["busy"], 0, 2);
  rank["wall_ns"] = by_clock(rank["wall_ns"].get<std::int64_t>());
  for (auto& ns : rank["evaluated_ns"]) ns = by_clock(ns.get<std::int64_t>());
}

// Copies the summaries of a folder, with ranks 1 and 3 on another host. The clock of this host is a
// minute ahead and gains 0.2 ms per second.
nlohmann::json with_another_clock(const fs::path& summaries, const fs::path& folder) {
  fs::create_directory(folder);
  for (const auto& entry : fs::directory_iterator(summaries)) {
    // A summary begins with the schema's name.
    auto summary = nlohmann::ordered_json::parse(read_file(entry.path()));
    for (auto& rank : summary["ranks"]) {
      if (rank["rank"] != "1" && rank["rank"] != "3") continue;
      rank["host"] = "elsewhere";
      rank["start_ns"] = rank["start_ns"].get<std::int64_t>() + 60'000'000'000;
      stretch(rank, 0.0002);
    }
    std::ofstream(folder / entry.path().filename()) << summary.dump();
  }
  const CommandResult result = run_lapscope({"analyze", "--summaries", "--format", "json", folder});
  INFO(result.err);
  REQUIRE(result.status == 0);
  return parse_json(result.out);
}

TEST_CASE("a clock that is ahead and drifts changes what is found by no more than its error",
          "[ranks]") {
  const auto catalogue = parse_json(read_file(recordings / "four" / "catalogue.json"));
  const TemporaryFolder folder;
  for (const auto& summary : catalogue["summaries"]) {
    const auto name = summary["folder"].get<std::string>();
    INFO(name);
    const auto own = parse_json(
        run_lapscope({"analyze", "--summaries", "--format", "json", recordings / "four" / name})
            .out);
    const auto moved = with_another_clock(recordings / "four" / name, folder.path() / name);
    const double error = moved["clock_error_ns"].get<double>();
    CHECK(moved["verdict"] == own["verdict"]);
    CHECK(error > 0);
    const auto collectives = own["collectives"].get<double>() + own["exchanges"].get<double>();
    for (std::size_t r = 0; r < own["ranks"].size(); ++r) {
      for (const char* const state : {"waiting_ns", "computing_ns"}) {
        const double without = own["ranks"][r][state].get<double>();
        const double with = moved["ranks"][r][state].get<double>();
        CHECK(std::abs(with - without) <= collectives * error + 0.001 * without);
      }
    }
    const nlohmann::json before = first_of(own);
    const nlohmann::json after = first_of(moved);
    REQUIRE(before.is_null() == after.is_null());
    if (before.is_null()) continue;
    for (const char* const key : {"code", "rank", "late_by"}) {
      CHECK(before.value(key, "") == after.value(key, ""));
    }
    for (const char* const end : {"saving_ns", "most_saving_ns"}) {
      const double change = before[end].get<double>() - after[end].get<double>();
      CHECK(std::abs(change) <= collectives * error);
    }
  }
}

// Returns the JSON of a run without the names of its input files.
nlohmann::json unnamed(const std::string& json) {
  nlohmann::json run = parse_json(json);
  run.erase("folder");
  for (auto& rank : run["ranks"]) rank.erase("file");
  return run;
}

TEST_CASE("four recorded ranks have the same result as their summaries", "[ranks]") {
  for (const char* folder : {"mesh-host-broken", "tensor-parallel-broken"}) {
    INFO(folder);
    const CommandResult traces = run_lapscope({"analyze", "--format", "json", recordings / folder});
    const CommandResult summaries =
        run_lapscope({"analyze", "--summaries", "--format", "json", recordings / "four" / folder});
    REQUIRE(traces.status == 0);
    REQUIRE(summaries.status == 0);
    const nlohmann::json run = unnamed(traces.out);
    CHECK(run["ranks"].size() == 4);
    CHECK(run == unnamed(summaries.out));
  }
}

TEST_CASE("the last rank is missed where the launcher said how many there are", "[ranks]") {
  const TemporaryFolder folder;
  fs::copy_file(recordings / "pipeline-broken" / "0.sqlite", folder / "0.sqlite");
  const CommandResult alone = run_lapscope({"analyze", folder.path()});
  CHECK(alone.status == 3);
  CHECK(alone.out.find("there is no trace of rank 1") != std::string::npos);
}

TEST_CASE("a gate fails what analyze says of recorded ranks", "[ranks]") {
  const auto gate = [](const char* folder, const char* condition) {
    return run_lapscope({"gate", "--forbid", condition, recordings / folder}).status;
  };
  CHECK(gate("straggler-host-broken", "straggler=10%") == 1);
  CHECK(gate("straggler-kernels-broken", "straggler=10%") == 1);
  CHECK(gate("two/uneven-experts-broken", "straggler=10%") == 0);
  CHECK(gate("pipeline-broken", "pipeline-bubble=10%") == 1);
}

// Returns where the last part with `state` begins in each rank's row of the picture, in units of
// the picture.
std::vector<double> ends_of_rows(const std::string& svg, const std::string& state) {
  std::vector<double> ends;
  const std::string begin = "<path class=\"" + state + "\" d=\"";
  for (std::size_t at = svg.find(begin); at != std::string::npos; at = svg.find(begin, at + 1)) {
    const std::string path = svg.substr(at, svg.find('/', at) - at);
    ends.push_back(std::stod(path.substr(path.rfind('M') + 1)));
  }
  return ends;
}

TEST_CASE("a page has the ranks side by side on one clock, and loads nothing", "[ranks]") {
  const TemporaryFolder folder;
  const std::string page = folder / "run.html";
  REQUIRE(run_lapscope({"report", recordings / "straggler-kernels-broken", "-o", page}).status ==
          0);
  const std::string html = read_file(page);
  CHECK_THAT(html, Containing("the other rank waits for rank 1") && Containing(">rank 0<") &&
                       Containing("threads) 48 times in all, on the other ranks 12 times") &&
                       Containing(">rank 1<") && !Containing("src=\"http"));
  // A collective ends at the same time on all ranks, and so do the last transfers. A difference of
  // 5 units is allowed.
  const std::vector<double> ends = ends_of_rows(html, "comm");
  REQUIRE(ends.size() == 2);
  CHECK(ends[0] == Approx(ends[1]).margin(5));
  CHECK(ends_of_rows(html, "wait").size() >= 1);
}

TEST_CASE("a Perfetto trace has a process for each rank, and other formats are refused",
          "[ranks]") {
  const TemporaryFolder folder;
  const std::string run = recordings / "straggler-kernels-broken";
  const std::string trace = folder / "run.perfetto-trace";
  REQUIRE(run_lapscope({"report", run, "-o", trace}).status == 0);
  CHECK_THAT(read_file(trace), Containing("rank 0 (") && Containing("rank 1 ("));
  const CommandResult csv = run_lapscope({"report", run, "--format", "csv"});
  CHECK(csv.status == 2);
  CHECK_THAT(on_one_line(csv.err), Containing("html, perfetto, json or text"));
  CHECK(run_lapscope({"report", run, run, "-o", trace}).status == 2);
  const CommandResult json = run_lapscope({"report", run, "-o", folder / "run.json"});
  CHECK(json.status == 0);
  CHECK(read_file(folder / "run.json") == run_lapscope({"analyze", run, "--format", "json"}).out);
}

}  // namespace
}  // namespace lapscope::test
