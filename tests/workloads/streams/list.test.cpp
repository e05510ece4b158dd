#include "workloads/streams/list.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/catch.h"
#include "workloads/streams/suite/registry.h"

namespace lapscope::workloads::streams {
namespace {

const std::vector<Case> two_cases = {
    {.name = "slow",
     .wrong = "It is slow.",
     .fix = "Make it fast.",
     .variants = {{.name = "broken",
                   .causes = {Cause::host_sync},
                   .environment = {{"CUDA_LAUNCH_BLOCKING", "1"}},
                   .wall_tolerance = 0.25},
                  {.name = "fixed"}},
     .needs = {.gpus = 2, .libraries = {"NCCL"}}},
    {.name = "good", .wrong = "Nothing.", .fix = "Nothing.", .variants = {{.name = "control"}}},
};

TEST_CASE("the text has a line for each variant, in columns", "[streams]") {
  std::ostringstream out;
  list_as_text(out, two_cases);
  REQUIRE(out.str() ==
          "case                        variant           planted cause           needs\n"
          "slow                        broken            host-sync               2 GPUs, NCCL\n"
          "slow                        fixed             none                    2 GPUs, NCCL\n"
          "good                        control           none                    -\n");
}

TEST_CASE("the columns are wide enough for every case", "[streams]") {
  std::ostringstream out;
  list_as_text(out, all_cases());
  std::istringstream lines(out.str());
  std::string line;
  std::size_t count = 0;
  while (std::getline(lines, line)) {
    INFO(line);
    REQUIRE(line.at(27) == ' ');
    REQUIRE(line.at(45) == ' ');
    REQUIRE(line.at(69) == ' ');
    ++count;
  }
  REQUIRE(count > all_cases().size());
}

TEST_CASE("the JSON has what a catalogue starts from", "[streams]") {
  std::ostringstream out;
  list_as_json(out, two_cases);
  const auto json = nlohmann::json::parse(out.str());
  REQUIRE(json["schema"] == "lapscope-cases/1");
  REQUIRE(json["cuda"].get<std::string>().find('.') != std::string::npos);
  REQUIRE(json["cases"].size() == 2);
  const auto& slow = json["cases"][0];
  REQUIRE(slow["name"] == "slow");
  REQUIRE(slow["gpus"] == 2);
  REQUIRE(slow["libraries"] == nlohmann::json::array({"NCCL"}));
  REQUIRE(slow["once"] == false);
  const auto& broken = slow["variants"][0];
  REQUIRE(broken["causes"] == nlohmann::json::array({"host-sync"}));
  REQUIRE(broken["environment"]["CUDA_LAUNCH_BLOCKING"] == "1");
  REQUIRE(broken["wall_tolerance"] == 0.25);
  REQUIRE(slow["variants"][1]["causes"].empty());
}

}  // namespace
}  // namespace lapscope::workloads::streams
