#include <algorithm>
#include <random>

#include "analyzer/analysis/analyze.h"
#include "tests/analyzer/support/program.h"
#include "tests/analyzer/support/random_program.h"
#include "tests/analyzer/support/rounds.h"
#include "tests/catch.h"

// Compares blame and idle time of random programs with counts of characters in their drawings. Each
// wait of these programs has a recorded reason.
namespace lapscope::analyzer {
namespace {

using test::ProgramRun;
using test::RandomProgram;

constexpr std::int64_t unit = 10'000;  // ns per character

// The idle time of the device in ns, by what the program's only thread did during this time.
struct IdleTime {
  std::int64_t issuing = 0;
  std::int64_t waiting = 0;
  std::int64_t elsewhere = 0;

  friend bool operator==(const IdleTime&, const IdleTime&) = default;
};

IdleTime counted(const RandomProgram& program, const ProgramRun& run) {
  const int first = *std::min_element(run.op_start.begin(), run.op_start.end());
  const int last = *std::max_element(run.op_end.begin(), run.op_end.end());
  IdleTime idle;
  for (int now = first; now < last; ++now) {
    bool is_busy = false;
    for (std::size_t op = 0; op < program.ops.size(); ++op) {
      is_busy |= run.op_start[op] <= now && now < run.op_end[op];
    }
    if (is_busy) continue;
    std::int64_t* what = &idle.elsewhere;
    for (std::size_t c = 0; c < program.calls.size(); ++c) {
      if (now < run.call_start[c] || run.call_end[c] <= now) continue;
      const bool waits = program.calls[c].kind == RandomProgram::Kind::synchronize;
      what = waits ? &idle.waiting : &idle.issuing;
    }
    *what += unit;
  }
  return idle;
}

TEST_CASE("idle time is what the thread did meanwhile, and nothing on the critical path is latency",
          "[laws]") {
  IdleTime all;
  for (unsigned seed = 0; seed < test::rounds(200); ++seed) {
    std::mt19937 random(seed);
    const RandomProgram what = test::random_program(random);
    const ProgramRun run = run_by_counting(what);
    const std::string drawing = drawing_of(what, run);
    INFO("seed " << seed << "\n" << drawing);
    const test::Program program(drawing, unit);
    const Report report = analyze(program.trace);
    const ScopeResult& scope = report.devices.front().scope;
    const auto idle_by = [&scope](Cause cause) {
      return scope.gaps.by_cause->at(static_cast<std::size_t>(cause));
    };
    const IdleTime expected = counted(what, run);
    const IdleTime found = {idle_by(Cause::launch_overhead) + idle_by(Cause::host_call),
                            idle_by(Cause::host_sync), idle_by(Cause::host_compute)};
    CHECK(found.issuing == expected.issuing);
    CHECK(found.waiting == expected.waiting);
    CHECK(found.elsewhere == expected.elsewhere);
    CHECK(scope.gaps.total_ns == expected.issuing + expected.waiting + expected.elsewhere);
    for (const BlameRow& row : scope.causes->blame) {
      INFO(row.code << " " << row.ns);
      CHECK((row.kind == BlameKind::work || row.code == code_of(Cause::launch_overhead) ||
             row.code == code_of(Cause::host_call) || row.code == code_of(Cause::host_sync) ||
             row.code == code_of(Cause::host_compute)));
    }
    all.issuing += expected.issuing;
    all.waiting += expected.waiting;
    all.elsewhere += expected.elsewhere;
  }
  CHECK(all.issuing > 0);
  CHECK(all.waiting > 0);
  CHECK(all.elsewhere > 0);
}

}  // namespace
}  // namespace lapscope::analyzer
