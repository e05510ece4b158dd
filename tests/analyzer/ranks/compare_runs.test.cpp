#include "analyzer/ranks/compare_runs.h"

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

// Makes a run of `steps` steps. Each step has `collectives` collectives and takes `length` ns.
RunResult run_of_steps(Ns steps, std::size_t collectives, Ns length) {
  RunResult run;
  for (Ns border = 0; border <= steps; ++border) run.steps.push_back(border * length);
  run.window = {0, steps * length};
  run.collectives_in_step = collectives;
  run.collectives = steps * static_cast<Ns>(collectives);
  return run;
}

RunResult run_without_steps(std::int64_t collectives, Ns length) {
  RunResult run;
  run.window = {0, length};
  run.collectives = collectives;
  return run;
}

RunChange change_of_runs(const RunResult& before, const RunResult& after) {
  return compare_runs_of_ranks(before, after).change;
}

TEST_CASE("steps of one kind are compared", "[ranks]") {
  CHECK(change_of_runs(run_of_steps(12, 16, 100), run_of_steps(5, 16, 50)) == RunChange::faster);
  CHECK(change_of_runs(run_of_steps(12, 16, 100), run_of_steps(5, 16, 100)) == RunChange::same);
}

// All runs have the same 192 collectives, but in 12 steps of 16, in 96 steps of 2, or in 192 steps
// of 1.
TEST_CASE("runs are not compared if their steps are different parts of the program", "[ranks]") {
  CHECK(change_of_runs(run_of_steps(12, 16, 100), run_of_steps(96, 2, 13)) == RunChange::unknown);
  CHECK(change_of_runs(run_of_steps(12, 16, 100), run_of_steps(192, 1, 7)) == RunChange::unknown);
}

TEST_CASE("about equally many steps are compared, although a fix merged their collectives",
          "[ranks]") {
  CHECK(change_of_runs(run_of_steps(20, 30, 100), run_of_steps(19, 4, 50)) == RunChange::faster);
  CHECK(change_of_runs(run_of_steps(12, 16, 100), run_of_steps(12, 4, 50)) == RunChange::faster);
}

TEST_CASE("runs without steps are compared if their windows have equally many collectives",
          "[ranks]") {
  CHECK(change_of_runs(run_without_steps(6, 100), run_without_steps(6, 50)) == RunChange::faster);
  CHECK(change_of_runs(run_without_steps(6, 100), run_without_steps(12, 200)) ==
        RunChange::unknown);
  CHECK(change_of_runs(run_without_steps(0, 100), run_without_steps(0, 50)) == RunChange::unknown);
  CHECK(change_of_runs(run_of_steps(12, 16, 100), run_without_steps(192, 1'200)) ==
        RunChange::unknown);
}

}  // namespace
}  // namespace lapscope::analyzer
