#include "workloads/scan/bench/scan_options.h"

#include <string>
#include <vector>

#include "tests/catch.h"
#include "tests/workloads/support/command_line.h"

namespace lapscope::workloads::scan {
namespace {

using Sizes = std::vector<std::uint64_t>;

Options parse(const std::vector<std::string>& arguments) {
  CommandLine line("scan_ladder", arguments);
  return parse_options(line.argc(), line.argv()).value();
}

TEST_CASE("without options all rungs sum u32, from 2^10 to 2^30 by powers of four", "[scan]") {
  const Options options = parse({});
  REQUIRE(options.task == Task::table);
  REQUIRE(options.chosen().size() == rungs().size());
  REQUIRE(options.type == Type::u32);
  REQUIRE(options.kind == Kind::inclusive);
  REQUIRE(options.sizes().size() == 11);
  REQUIRE(options.sizes().front() == 1 << 10);
  REQUIRE(options.sizes().back() == 1 << 30);
}

TEST_CASE("one rung and one size can be chosen", "[scan]") {
  REQUIRE(parse({"--rung", "cub"}).chosen() == std::vector<const Rung*>{&cub_scan});
  REQUIRE(parse({"--n", "2^20"}).sizes() == Sizes{1 << 20});
  REQUIRE(parse({"--verify", "--n", "0"}).sizes() == Sizes{0});
  REQUIRE(parse({"--verify"}).sizes().back() > std::uint64_t{1} << 32);
}

TEST_CASE("counts are digits or powers of two with something added", "[scan]") {
  REQUIRE(parse_count("--n", "0") == 0);
  REQUIRE(parse_count("--n", "1337") == 1337);
  REQUIRE(parse_count("--n", "2^20") == 1 << 20);
  REQUIRE(parse_count("--n", "2^31+17") == (std::uint64_t{1} << 31) + 17);
  for (const char* text : {"", "x", "2^", "2^37", "2^4+", "-1", "1e6", "99999999999999999999"}) {
    INFO(text);
    REQUIRE_THROWS_AS(parse_count("--n", text), UsageError);
  }
}

TEST_CASE("contradictions, and what cannot be scanned or timed, are refused", "[scan]") {
  REQUIRE_THROWS_AS(parse({"--list", "--verify"}), UsageError);
  REQUIRE_THROWS_AS(parse({"--samples", "0"}), UsageError);
  REQUIRE_THROWS_AS(parse({"--rung", "fast"}), UsageError);
  REQUIRE_THROWS_AS(parse({"--rung", "block-tree", "--n", "2049"}), UsageError);
  REQUIRE_THROWS_AS(parse({"--n", "0"}), UsageError);
}

}  // namespace
}  // namespace lapscope::workloads::scan
