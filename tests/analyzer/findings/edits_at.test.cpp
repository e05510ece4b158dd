#include "analyzer/findings/edits_at.h"

#include "analyzer/findings/predict.h"
#include "cli/fix_argument.h"
#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Lines;
using test::Program;

// Returns the interval of each op in the replay with a fix. `fix` has the format of `whatif --fix`.
Lines fixed_runs(const Program& program, const std::string& fix) {
  const Graph graph = test::graph_of(program.trace);
  const HostTimeline host(program.trace);
  const Predictor predictor({program.trace, host, graph});
  return test::replayed(program, predictor.edited_by({cli::parse_fix(fix)}, Sharing::least));
}

// If a fix removes the wait of a call, the call takes 1 character, like a launch.
const Program& two_waits() {
  static const Program program(R"(
    thread 1  assssbtttttc....
    stream 1  .AAAA...........
    stream 2  ......BBBBB.....
    stream 3  ............CCCC
    s = cudaStreamSynchronize, stream 1
    t = cudaDeviceSynchronize
  )");
  return program;
}

TEST_CASE("a fix of one call leaves the waits of the others") {
  REQUIRE(fixed_runs(two_waits(), "host-sync") == Lines{"A 1 to 5", "B 3 to 8", "C 5 to 9"});
  REQUIRE(fixed_runs(two_waits(), "host-sync:site=cudaStreamSynchronize") ==
          Lines{"A 1 to 5", "B 3 to 8", "C 9 to 13"});
  REQUIRE(fixed_runs(two_waits(), "host-sync:site=cudaDevice*") ==
          Lines{"A 1 to 5", "B 6 to 11", "C 8 to 12"});
}

TEST_CASE("at all places together it is the fix itself") {
  REQUIRE(fixed_runs(two_waits(), "host-sync:site=*") == fixed_runs(two_waits(), "host-sync"));
}

TEST_CASE("a place at which a fix changes nothing is an error that names it") {
  try {
    fixed_runs(two_waits(), "host-sync:site=cudaMemcpy");
    FAIL("nothing was thrown");
  } catch (const NothingAtSite& error) {
    REQUIRE(error.request.site == "cudaMemcpy");
    REQUIRE_THAT(cli::sentence_of(error), Catch::Matchers::Contains("'cudaMemcpy'"));
  }
}

// B and D are in the default stream. The first fix removes the barriers of B: C does not wait for
// B, and B does not wait for A. The second fix removes the barriers of D.
TEST_CASE("a fix at a kernel in the default stream removes the barriers of this kernel") {
  const Program program(R"(
    thread 1    abcde...............
    blocking 1  .AAAA...............
    legacy 7    .....BBBB...DDD.....
    blocking 2  .........CCC........
    blocking 3  ...............EEEEE
    B = named stamp
    D = named check
  )");
  REQUIRE(fixed_runs(program, "default-stream-barrier:site=stamp in the legacy default stream") ==
          Lines{"A 1 to 5", "B 2 to 6", "C 3 to 6", "D 6 to 9", "E 9 to 14"});
  REQUIRE(fixed_runs(program, "default-stream-barrier:site=check*") ==
          Lines{"A 1 to 5", "B 5 to 9", "C 9 to 12", "D 9 to 12", "E 5 to 10"});
}

TEST_CASE("copies of pageable memory are told apart by their direction") {
  const Program program(R"(
    thread 1  mmmmmmmmnnnnnnnnp....
    stream 1  .MMMMMM..............
    stream 2  .........NNNNNN......
    stream 3  .................PPQQ
    P = h2d, bytes 2097152
    Q = d2h, bytes 2097152
    M = h2d, bytes 2097152, pageable
    N = d2h, bytes 2097152, pageable
  )");
  const Lines only_out = fixed_runs(program, "pageable-copy:site=copy d2h*");
  REQUIRE(std::find(only_out.begin(), only_out.end(), "M 1 to 7") != only_out.end());
  REQUIRE(only_out != fixed_runs(program, "pageable-copy"));
}

}  // namespace
}  // namespace lapscope::analyzer
