#include <sstream>
#include <string>
#include <vector>

#include "tests/catch.h"
#include "tests/support/json.h"
#include "tests/workloads/support/command_line.h"
#include "workloads/streams/streams_options.h"
#include "workloads/streams/suite/case_registry.h"

namespace lapscope::workloads::streams {
namespace {

Options parse(const std::vector<std::string>& arguments) {
  CommandLine line("stream_suite", arguments);
  return parse_options(line.argc(), line.argv()).value();
}

std::string usage_error(const std::vector<std::string>& arguments) {
  return usage_error_of([&] { parse(arguments); });
}

TEST_CASE("a case alone runs its first variant once, with the defaults", "[streams]") {
  const Options options = parse({"pageable-copy"});
  REQUIRE(options.chosen->name == "pageable-copy");
  REQUIRE(options.variant->name == "broken");
  REQUIRE(options.shape.tiles == 12);
  REQUIRE(options.shape.tile_mib == 8);
  REQUIRE(options.shape.kernel_us == options.chosen->kernel_us);
  REQUIRE(options.repeats == 1);
}

TEST_CASE("a case may have a kernel length of its own, which an option overrides", "[streams]") {
  REQUIRE(parse({"transfer-bound"}).shape.kernel_us < 100);
  REQUIRE(parse({"transfer-bound", "--kernel-us", "200"}).shape.kernel_us == 200);
}

TEST_CASE("every option of the suite is taken", "[streams]") {
  const Options options = parse({"pipeline", "--variant", "fixed", "--tiles", "48", "--tile-mib",
                                 "16", "--kernel-us", "250.5", "--repeats", "5"});
  REQUIRE(options.variant->name == "fixed");
  REQUIRE(options.shape.tiles == 48);
  REQUIRE(options.shape.tile_mib == 16);
  REQUIRE(options.shape.kernel_us == 250.5);
  REQUIRE(options.repeats == 5);
}

TEST_CASE("without a case the next step is named", "[streams]") {
  REQUIRE(contains(usage_error({}), "--list"));
}

TEST_CASE("an unknown case, variant or format is refused with what there is", "[streams]") {
  REQUIRE(contains(usage_error({"pipelin"}), "did you mean 'pipeline'?"));
  REQUIRE(
      contains(usage_error({"pipeline", "--variant", "fast"}), "broken, stream-per-buffer, fixed"));
  REQUIRE(contains(usage_error({"--list", "--format", "xml"}), "text or json"));
}

TEST_CASE("a bad number is refused by the name of its option", "[streams]") {
  for (const char* option : {"--tiles", "--tile-mib", "--kernel-us", "--repeats"}) {
    for (const char* value : {"0", "-3", "many", "1e9", "", "nan"}) {
      INFO(option << " " << value);
      REQUIRE(contains(usage_error({"pipeline", option, value}), option));
    }
  }
}

TEST_CASE("an option that would change nothing is refused", "[streams]") {
  for (const Case& each : all_cases()) {
    for (const std::string& option : each.ignored) {
      INFO(each.name << " " << option);
      REQUIRE(
          contains(usage_error({each.name, option, "20"}), each.name + " does not take " + option));
    }
  }
  REQUIRE(contains(usage_error({"queue-alias", "--tiles", "20"}), "--tiles"));
  REQUIRE(contains(usage_error({"tiny-kernels", "--kernel-us", "20"}), "--kernel-us"));
  REQUIRE(
      usage_error({"pipeline", "--tiles", "20", "--tile-mib", "20", "--kernel-us", "20"}).empty());
}

TEST_CASE("the list takes no case, and a case no format", "[streams]") {
  REQUIRE(contains(usage_error({"--list", "junk"}), "--list"));
  REQUIRE(contains(usage_error({"--list", "--tiles", "20"}), "--list"));
  REQUIRE(contains(usage_error({"--format", "json", "pipeline"}), "--format is for --list"));
}

TEST_CASE("a case that a process shows once is not repeated in one", "[streams]") {
  REQUIRE(
      contains(usage_error({"lazy-loading", "--repeats", "2"}), "--repeats must be from 1 to 1"));
  REQUIRE(contains(usage_error({"lazy-loading", "--tiles", "40"}), "--tiles"));
}

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
  const auto json = test::parse_json(out.str());
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

TEST_CASE("the JSON has the lines of the mistake of a broken variant", "[streams]") {
  std::ostringstream out;
  list_as_json(out, all_cases());
  const auto json = test::parse_json(out.str());
  for (const auto& each : json["cases"]) {
    for (const auto& variant : each["variants"]) {
      INFO(each["name"] << " " << variant["name"]);
      REQUIRE(variant["planted"].empty() == (variant["name"] != "broken"));
      for (const auto& line : variant["planted"]) {
        REQUIRE(line.get<std::string>().starts_with("workloads/streams/"));
      }
    }
  }
}

}  // namespace

}  // namespace lapscope::workloads::streams
