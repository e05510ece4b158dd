#include "analyzer/fixes/fix.h"
#include "tests/analyzer/fixes/fixed.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::fixed;
using test::graph_of;
using test::Lines;
using test::Program;
using test::replayed;

constexpr const char* one_function = R"(
    thread 1  afb.........
    stream 1  .AAAA...BBBB
    f = cudaLaunchHostFunc
)";

// A character is 100 us. f lasts until 5 us before B; a quick one would take 200 us all the same.
TEST_CASE("of a host function the way to the host and back is left") {
  const Program program(one_function, 100'000);
  REQUIRE(replayed(program, fixed(program, "host-func")) ==
          Lines{"A 1 to 5", "B 7.05 to 11.05", "f 5 to 7"});
}

TEST_CASE("a host function that takes no longer than that way is as quick as it gets") {
  const Program program(one_function, 10'000);
  REQUIRE(replayed(program, fixed(program, "host-func")) ==
          replayed(program, graph_of(program.trace)));
}

// f takes 45 us: the way takes no longer. Only of a function whose stream was told its time counts.
TEST_CASE("the way to the host and back takes no longer than the quickest function of the trace") {
  const auto fixed_times = [](const std::string& stream) {
    const Program program(R"(
    thread 1  afbgc..............................................
    stream 1  .AAAA.....BBBB.....................................
    stream 1  .................................................CC
    f = cudaLaunchHostFunc)" +
                          stream + R"(
    g = cudaLaunchHostFunc
  )");
    return replayed(program, fixed(program, "host-func"));
  };
  REQUIRE(fixed_times(", stream 1") ==
          Lines{"A 1 to 5", "B 10 to 14", "C 19 to 21", "f 5 to 9.5", "g 14 to 18.5"});
  REQUIRE(fixed_times("") ==
          Lines{"A 1 to 5", "B 10 to 14", "C 34.5 to 36.5", "f 5 to 9.5", "g 14 to 34"});
}

}  // namespace
}  // namespace lapscope::analyzer
