#include "tests/bench/child_run.h"

#include "tests/catch.h"

namespace lapscope::bench {
namespace {

TEST_CASE("what a program needed is its own, not that of programs before it") {
  const Run sleeping = run_child({"/bin/sleep", "0.2"});
  REQUIRE(sleeping.wall_s >= 0.2);
  REQUIRE(sleeping.cpu_s < 0.1);
  const Run counting =
      run_child({"/bin/sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"});
  REQUIRE(counting.cpu_s > sleeping.cpu_s);
  const Run quick = run_child({"/bin/true"});
  REQUIRE(quick.wall_s < sleeping.wall_s);
  REQUIRE(quick.peak_rss > 0);
}

TEST_CASE("a program that fails is no measurement") {
  REQUIRE_THROWS_WITH(run_child({"/bin/sh", "-c", "exit 3"}), "'/bin/sh' exited with 3");
  REQUIRE_THROWS_WITH(run_child({"/bin/sh", "-c", "kill -9 $$"}),
                      "'/bin/sh' was ended by signal 9");
  REQUIRE_THROWS_WITH(run_child({"/no/such/program"}),
                      "'/no/such/program' cannot be run: No such file or directory");
}

}  // namespace
}  // namespace lapscope::bench
