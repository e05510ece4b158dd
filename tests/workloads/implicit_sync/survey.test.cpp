#include "workloads/implicit_sync/survey.h"

#include <sstream>

#include "tests/catch.h"
#include "tests/support/json.h"
#include "tests/workloads/implicit_sync/observations.h"
#include "tests/workloads/support/command_line.h"

namespace lapscope::workloads::implicit_sync {
namespace {

constexpr Call frees{"cudaFree-4KiB", {Documented::may_wait, "reference"}, nullptr};
constexpr Call sets{"cudaMemset-device", {Documented::separates_streams, "lecture"}, nullptr};
constexpr Call peers{"cudaDeviceEnablePeerAccess", not_named, nullptr};

CallResult measured(const Call& call, const Observations& seen) {
  return {&call, "", {0.09, 0.1, 0.11}, 2.4, seen, judge(seen, idle_ms)};
}

// A survey of three calls. The first blocks the host, the second varies, and the third is
// impossible on this machine.
Survey example() {
  Observations split = always(overlapping());
  in(split, Arrangement::blocking) = std::vector<Observation>(5, waiting());
  in(split, Arrangement::blocking)[0] = overlapping();
  CallResult missing;
  missing.call = &peers;
  missing.unavailable = "this call needs two GPUs; one is visible";
  return {"Some GPU", {"580.1", "13.0", "13.0"},
          5,          {measured(frees, always(blocking_host())), measured(sets, split), missing},
          {},         "2026-11-21"};
}

std::string text_of_survey(const Survey& survey) {
  std::ostringstream out;
  render_text(out, survey);
  return out.str();
}

nlohmann::json json_of_survey(const Survey& survey) {
  std::ostringstream out;
  render_json(out, survey);
  return test::parse_json(out.str());
}

// Returns the line that starts with `name`, with single blanks.
std::string line_of(const std::string& text, const std::string& name) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(name + " ", 0) != 0) continue;
    std::istringstream words(line);
    std::string squeezed;
    for (std::string word; words >> word;)
      squeezed.append(squeezed.empty() ? "" : " ").append(word);
    return squeezed;
  }
  return "";
}

TEST_CASE("a row tells the times and the verdicts", "[implicit_sync]") {
  const std::string text = text_of_survey(example());
  REQUIRE(line_of(text, "cudaFree-4KiB") ==
          "cudaFree-4KiB may wait reference 0.100 2.380 device host waits host waits host waits -");
  REQUIRE(line_of(text, "cudaMemset-device") ==
          "cudaMemset-device streams do not overlap lecture 0.100 0.100 nothing no yes "
          "varies: no 4/5 blocking only");
}

TEST_CASE("a call that cannot be made is n/a, with the reason below", "[implicit_sync]") {
  const std::string text = text_of_survey(example());
  REQUIRE(contains(line_of(text, "cudaDeviceEnablePeerAccess"), "n/a n/a n/a n/a n/a n/a n/a"));
  REQUIRE(
      contains(text, "n/a cudaDeviceEnablePeerAccess: this call needs two GPUs; one is visible"));
  REQUIRE(contains(text, "\nmeasured: 2\nnot_available: 1\n"));
}

TEST_CASE("the machine and the controls are told", "[implicit_sync]") {
  const std::string text = text_of_survey(example());
  for (const char* line : {"device: Some GPU\n", "driver: 580.1\n", "cuda_runtime: 13.0\n",
                           "repeats: 5\n", "controls: as they must be\n"}) {
    REQUIRE(contains(text, line));
  }
  Survey failed = example();
  failed.failures = {"a control failed"};
  REQUIRE(contains(text_of_survey(failed), "controls: wrong\n"));
}

TEST_CASE("JSON has the verdicts and every raw figure", "[implicit_sync]") {
  const auto json = json_of_survey(example());
  REQUIRE(json["schema"] == "lapscope-implicit-sync/1");
  REQUIRE(json["date"] == "2026-11-21");
  REQUIRE(json["calls"].size() == 3);
  const auto& set = json["calls"][1];
  REQUIRE(set["host_waits_for"]["value"] == "nothing");
  REQUIRE(set["blocking_streams"]["value"] == "waits");
  REQUIRE(set["blocking_streams"]["varies"] == true);
  REQUIRE(set["blocking_streams"]["agreeing"] == 4);
  REQUIRE(set["as_documented"] == "blocking only");
  REQUIRE(set["raw"]["idle_ms"].size() == 3);
  for (const Arrangement arrangement : arrangements) {
    REQUIRE(set["raw"][std::string(name_of(arrangement))].size() == 5);
  }
  REQUIRE(set["raw"]["beside"][0]["before"]["end_ns"] == before.end_ns);
  REQUIRE(set["raw"]["beside"][0]["after"]["start_ns"] == overlapping().after.start_ns);
  REQUIRE_FALSE(set["raw"]["own"][0].contains("after"));
}

TEST_CASE("JSON gives what is unclear as null and what is missing with its reason",
          "[implicit_sync]") {
  Survey survey = example();
  survey.results[0] = measured(frees, always(late()));
  const auto json = json_of_survey(survey);
  REQUIRE(json["calls"][0]["host_waits_for"]["value"].is_null());
  REQUIRE(json["calls"][2]["measured"] == false);
  REQUIRE(json["calls"][2]["reason"] == survey.results[2].unavailable);
}

TEST_CASE("the list needs no measurement", "[implicit_sync]") {
  std::ostringstream out;
  render_list(out, {&frees, &peers});
  REQUIRE(out.str() ==
          "call                        documented              source\n"
          "cudaFree-4KiB               may wait                reference\n"
          "cudaDeviceEnablePeerAccess  may block, as any call  reference\n");
}

}  // namespace
}  // namespace lapscope::workloads::implicit_sync
