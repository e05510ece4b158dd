#include "analyzer/findings/find_host_work.h"

#include <algorithm>
#include <string>

#include "analyzer/analysis/analyze.h"
#include "tests/analyzer/support/program.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Program;

const FindingResult& host_compute(const Report& report) {
  const auto& findings = report.devices.at(0).scope.causes->findings;
  const auto found = std::find_if(findings.begin(), findings.end(), [](const auto& finding) {
    return finding.code == "host-compute";
  });
  REQUIRE(found != findings.end());
  REQUIRE(found->host_work);
  return *found;
}

// Draws five launches. The host code between two launches takes nine units: six for function x and
// three for function y.
std::string loop_of(const std::string& x, const std::string& y) {
  return R"(
  thread 1            a.........a.........a.........a.........a
  samples 1 every 1   cxxxxxxyyycxxxxxxyyycxxxxxxyyycxxxxxxyyyc
  stream 1            .A........A.........A.........A.........A
  a = cudaLaunchKernel, at train.py:7
  c = running
  x = )" +
         x + "\n  y = " + y + "\n";
}

// Checks a saving, in units. The wall is 40 units. Samples have a resolution of half a unit.
void check_saving(const Program& program, const HostFunction& saver, double units) {
  const auto saving = static_cast<double>(saver.saving_ns.value_or(0));
  CAPTURE(name_of(saver.kind), saving / static_cast<double>(program.unit), units);
  CHECK(std::abs(saving - units * static_cast<double>(program.unit)) <
        0.5 * static_cast<double>(program.unit));
}

constexpr const char* f = "running f@train.py:3 main@train.py:7";
constexpr const char* g = "running g@train.py:4 main@train.py:7";
constexpr const char* load =
    "running load@/lib/torch/utils/data/_utils/fetch.py:50 main@train.py:7";
constexpr const char* log = "running info@/lib/logging/__init__.py:9 main@train.py:7";
constexpr const char* worker =
    "reading Iter._try_get_data@/lib/torch/utils/data/dataloader.py:9 main@train.py:7";

TEST_CASE("each kind of host work has an edit") {
  CHECK(edit_for(HostKind::data_loading) == HostEdit::many_elsewhere);
  CHECK(edit_for(HostKind::process_wait) == HostEdit::half_the_wait);
  CHECK(edit_for(HostKind::lock) == HostEdit::half_the_wait);
  CHECK(edit_for(HostKind::dispatch) == HostEdit::launch_as_graph);
  CHECK(edit_for(HostKind::optimizer) == HostEdit::launch_as_graph);
  CHECK(edit_for(HostKind::user) == HostEdit::one_elsewhere);
  CHECK(edit_for(HostKind::other) == HostEdit::one_elsewhere);
  for (const HostKind kind :
       {HostKind::garbage_collection, HostKind::logging_and_io, HostKind::sleep}) {
    CHECK(edit_for(kind) == HostEdit::leave_out);
  }
}

// With the fix, another thread runs f for 24 units. The first thread keeps the other 17 units, so
// 24 units determine the wall.
TEST_CASE("work takes as long on one other thread as before") {
  const Program program(loop_of(f, g));
  const Report report = analyze(program.trace);
  const FindingResult& finding = host_compute(report);
  check_saving(program, finding.host_work->about(), 40 - 24);
  check_saving(program, finding.host_work->functions.at(0), 40 - 24);
  CHECK(finding.saving_ns == finding.host_work->about().saving_ns);
  CHECK(finding.host_work->all_saving_ns > 30 * program.unit);
}

// Three other threads run f for 8 units each. The first thread takes longer than each of them: 17
// units.
TEST_CASE("several other threads may divide the work") {
  Program program(loop_of(f, g));
  const auto finding = [&program](int processors) {
    program.trace.facts.processors = processors;
    return host_compute(analyze(program.trace));
  };
  CHECK(finding(4).saving_ns == finding(0).saving_ns);
  CHECK(finding(4).predicted.doubt == Doubt::threads);
  CHECK(finding(4).most_saving_ns > finding(4).saving_ns + 5 * program.unit);
  // One other processor allows only one other thread.
  CHECK(finding(2).predicted.doubt != Doubt::threads);
  CHECK(finding(2).most_saving_ns == finding(2).saving_ns);
}

TEST_CASE("what is left out is gone") {
  const Program program(loop_of(log, g));
  const HostWork work = *host_compute(analyze(program.trace)).host_work;
  CHECK(work.about().kind == HostKind::logging_and_io);
  // Each gap shrinks to the length of a call.
  CHECK(*work.about().saving_ns > 22 * program.unit);
  CHECK(*work.about().saving_ns < 24 * program.unit);
}

TEST_CASE("batches are loaded by as many processes as there are processors left") {
  Program program(loop_of(load, load));
  const auto saving = [&program](int processors) {
    program.trace.facts.processors = processors;
    return host_compute(analyze(program.trace)).host_work->about();
  };
  check_saving(program, saving(3), 40 - 18);
  check_saving(program, saving(5), 40 - 9);
  CHECK(saving(0).saving_ns > saving(5).saving_ns);
  // The thread itself occupies the only processor.
  CHECK(saving(1).saving_ns.value_or(0) <= 5 * program.unit);
}

TEST_CASE("twice as many processes take half of the time at least") {
  const Program program(loop_of(worker, worker));
  const HostWork work = *host_compute(analyze(program.trace)).host_work;
  CHECK(work.about().kind == HostKind::process_wait);
  check_saving(program, work.about(), 40.0 / 2);
}

// Five operators and a wait. A graph replaces the five launches and the code between them by one
// launch.
//
//   stream 1   .L....L.....L...L.....L...  ->  .LLLLL...
TEST_CASE("with a graph, the calls of the operators are saved, too") {
  const Program program(R"(
    thread 1            l....l.....l...l.....l...sl....l.....l...l.....l...sl....l.....l...l.....l...sl....l.....l...l.....l...s
    samples 1 every 1   .dddd.ddddd.ddd.ddddd.ddd..dddd.ddddd.ddd.ddddd.ddd..dddd.ddddd.ddd.ddddd.ddd..dddd.ddddd.ddd.ddddd.ddd.
    stream 1            .L....L.....L...L.....L....L....L.....L...L.....L....L....L.....L...L.....L....L....L.....L...L.....L...
    l = cudaLaunchKernel, at net.py:5
    s = cudaStreamSynchronize, at train.py:9
    d = running forward@/lib/torch/nn/modules/module.py:5 step@net.py:5
  )");
  const FindingResult finding = host_compute(analyze(program.trace));
  CHECK(finding.host_work->about().kind == HostKind::dispatch);
  CHECK(finding.saving_ns > finding.host_work->all_saving_ns);
  CHECK(finding.saving_ns > 60 * program.unit);
}

// In each iteration, the model launches five kernels (l). The optimizer launches one kernel (o).
TEST_CASE("a fused optimizer leaves the calls of the model") {
  const std::string calls = "l....l....l....l....l....o..s";
  const std::string work = ".dddd.dddd.dddd.dddd.oooo.oo.";
  const std::string ops = ".L....L....L....L....L....O..";
  const auto four_of = [](const std::string& one) { return one + one + one + one; };
  const Program program("thread 1 " + four_of(calls) + "\nsamples 1 every 1 " + four_of(work) +
                            "\nstream 1 " + four_of(ops) + R"(
    l = cudaLaunchKernel, at net.py:5
    o = cudaLaunchKernel, at train.py:8
    s = cudaStreamSynchronize, at train.py:9
    d = running forward@/v/lib/python3.12/site-packages/torch/nn/modules/module.py:5 step@net.py:5
    o = running step@/v/lib/python3.12/site-packages/torch/optim/adam.py:5 main@train.py:8
  )",
                        4'000);
  const HostWork host_work = *host_compute(analyze(program.trace)).host_work;
  CHECK(host_work.kinds.size() == 2);
  for (const HostFunction& kind : host_work.kinds) {
    CAPTURE(name_of(kind.kind), kind.saving_ns.value_or(0));
    if (kind.kind == HostKind::optimizer) CHECK(kind.saving_ns < 4 * 10 * program.unit);
    if (kind.kind == HostKind::dispatch) CHECK(kind.saving_ns > 4 * 14 * program.unit);
  }
}

TEST_CASE("an edit that saves too little leaves the finding as it was") {
  const Program program(loop_of(f, f));
  const FindingResult finding = host_compute(analyze(program.trace));
  CHECK(finding.host_work->about().saving_ns.value_or(0) < 6 * program.unit);
  CHECK(finding.saving_ns >= finding.host_work->about().saving_ns.value_or(0));
}

}  // namespace
}  // namespace lapscope::analyzer
