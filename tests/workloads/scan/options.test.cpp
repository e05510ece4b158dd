#include "workloads/scan/options.h"

#include <string>
#include <vector>

#include "tests/catch.h"
#include "workloads/harness/guard.h"

namespace lapscope::workloads::scan {
namespace {

Options parse(std::vector<std::string> arguments) {
  std::string program = "scan_ladder";
  std::vector<char*> argv{program.data()};
  for (auto& argument : arguments) argv.push_back(argument.data());
  return parse_options(static_cast<int>(argv.size()), argv.data()).value();
}

TEST_CASE("without options the contender sums 2^24 u32", "[scan]") {
  const Options options = parse({});
  REQUIRE(options.task == Task::scan);
  REQUIRE(options.rung.empty());
  REQUIRE(options.combination() == Combination{ElementType::u32, Operator::sum});
  REQUIRE(options.kind == Kind::inclusive);
  REQUIRE(options.n == 1 << 24);
}

TEST_CASE("the lecture's table adds floats unless told otherwise", "[scan]") {
  REQUIRE(parse({"--table", "lecture"}).combination().type == ElementType::f32);
  REQUIRE(parse({"--table", "lecture", "--type", "i32"}).combination().type == ElementType::i32);
  REQUIRE(parse({"--table", "lecture"}).largest_n() == 1 << 24);
  REQUIRE(parse({"--table", "modern"}).largest_n() == 1 << 30);
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

TEST_CASE("a table without a row is refused", "[scan]") {
  REQUIRE_THROWS_AS(parse({"--table", "modern", "--max-n", "10"}), UsageError);
  REQUIRE_NOTHROW(parse({"--table", "modern", "--max-n", "2^16"}));
  REQUIRE_THROWS_AS(parse({"--table", "lecture", "--max-n", "1023"}), UsageError);
  REQUIRE_NOTHROW(parse({"--verify", "--max-n", "10"}));
}

TEST_CASE("a type or an operator narrows the matrix", "[scan]") {
  REQUIRE_FALSE(parse({"--verify"}).one_combination);
  REQUIRE(parse({"--verify", "--type", "f32"}).one_combination);
  const Options options = parse({"--verify", "--op", "max", "--min-n", "2^28"});
  REQUIRE(options.one_combination);
  REQUIRE(options.combination() == Combination{ElementType::u32, Operator::max});
  REQUIRE(options.min_n == 1 << 28);
}

TEST_CASE("the modern table goes by powers of four or of two", "[scan]") {
  REQUIRE(parse({"--table", "modern"}).factor == 4);
  REQUIRE(parse({"--table", "modern", "--factor", "2"}).factor == 2);
  REQUIRE_THROWS_AS(parse({"--table", "modern", "--factor", "1"}), UsageError);
}

TEST_CASE("contradictions are refused", "[scan]") {
  REQUIRE_THROWS_AS(parse({"--list", "--verify"}), UsageError);
  REQUIRE_THROWS_AS(parse({"--table", "best"}), UsageError);
  REQUIRE_THROWS_AS(parse({"--inclusive", "--exclusive"}), UsageError);
  REQUIRE_THROWS_AS(parse({"--type", "f32", "--op", "affine"}), UsageError);
  REQUIRE_THROWS_AS(parse({"--repeats", "0"}), UsageError);
}

TEST_CASE("repetitions depend on the task", "[scan]") {
  REQUIRE(parse({"--torture"}).repetitions() == 10000);
  REQUIRE(parse({"--torture", "--repeats", "50"}).repetitions() == 50);
}

}  // namespace
}  // namespace lapscope::workloads::scan
