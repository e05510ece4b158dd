#include "workloads/side_by_side/side_by_side_options.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/catch.h"
#include "tests/workloads/support/command_line.h"
#include "workloads/side_by_side/side_by_side_table.h"

namespace lapscope::workloads::side_by_side {
namespace {

Options parse(const std::vector<std::string>& arguments) {
  CommandLine line("side_by_side", arguments);
  return parse_options(line.argc(), line.argv()).value();
}

std::string usage_error(const std::vector<std::string>& arguments) {
  return usage_error_of([&] { parse(arguments); });
}

TEST_CASE("without options all kernels are measured at all shares", "[side-by-side]") {
  const Options options = parse({});
  REQUIRE(options.kinds.size() == 5);
  REQUIRE(options.shares.size() == 3);
  REQUIRE(options.at_once == std::vector<int>{1, 2, 4, 8});
  REQUIRE(options.form == Form::table);
  REQUIRE(options.copies);
  REQUIRE_FALSE(options.seen);
}

TEST_CASE("every option of kernels side by side is taken", "[side-by-side]") {
  const Options options =
      parse({"--kernel", "map,reads", "--share", "half", "--at-once", "1,3", "--form", "apart",
             "--seen", "--no-copies", "--us", "150", "--repeats", "2", "--format", "json"});
  REQUIRE(options.kinds == std::vector{UsualKind::map, UsualKind::reads});
  REQUIRE(options.shares == std::vector{GpuShare::half});
  REQUIRE(options.at_once == std::vector<int>{1, 3});
  REQUIRE(options.form == Form::apart);
  REQUIRE(options.seen);
  REQUIRE_FALSE(options.copies);
  REQUIRE(options.us == 150);
  REQUIRE(options.repeats == 2);
  REQUIRE(options.json);
}

TEST_CASE("a wrong option of kernels side by side is named", "[side-by-side]") {
  REQUIRE(contains(usage_error({"--kernel", "fft"}), "--kernel takes a list of these"));
  REQUIRE(contains(usage_error({"--share", "third"}), "--share takes"));
  REQUIRE(contains(usage_error({"--form", "alone"}), "--form must be"));
  REQUIRE(contains(usage_error({"--format", "xml"}), "--format must be"));
  REQUIRE(contains(usage_error({"--at-once", "0"}), "--at-once"));
  REQUIRE(contains(usage_error({"--at-once", "33"}), "--at-once"));
  REQUIRE(contains(usage_error({"--repeats", "0"}), "--repeats"));
  REQUIRE(contains(usage_error({"--us", "1"}), "--us"));
  REQUIRE(contains(usage_error({"--works", "/no/such/file"}), "cannot read"));
}

const std::vector<Row> rows{{.name = "map-all",
                             .blocks = 132,
                             .work = 40,
                             .us = {{1, {200, 210, 190}}, {2, {400}}},
                             .copies = {{.kernel_alone_us = 200,
                                         .kernel_us = 220,
                                         .copy_in_alone_us = 300,
                                         .copy_in_us = 330,
                                         .copy_out_alone_us = 300,
                                         .copy_out_us = 300}}},
                            {.name = "gemm-all", .failed = "no cuBLAS"}};

TEST_CASE("a table has what several kernels take against one", "[side-by-side]") {
  std::ostringstream out;
  print_text(out, rows, {1, 2});
  REQUIRE(contains(out.str(),
                   "map-all      132     200.0       2.00           1.10     1.10      1.00"));
  REQUIRE(contains(out.str(), "no cuBLAS"));
}

TEST_CASE("the amounts of work of one run are those of the next", "[side-by-side]") {
  const auto path = std::filesystem::temp_directory_path() / "side_by_side_works.json";
  {
    std::ofstream file(path);
    print_json(file, rows, "a GPU", "table", false);
  }
  const Options options = parse({"--works", path.string()});
  std::filesystem::remove(path);
  REQUIRE(options.works.at("map-all") == 40);
  REQUIRE(options.works.at("gemm-all") == 0);
  REQUIRE(name_of(UsualKind::map, GpuShare::all) == "map-all");
}

}  // namespace
}  // namespace lapscope::workloads::side_by_side
