#include <algorithm>

#include "analyzer/explain/places.h"
#include "analyzer/findings/find_causes.h"
#include "analyzer/findings/predict.h"
#include "cli/fix_argument.h"
#include "reports/words/call_sites.h"
#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Lines;
using test::Program;

FindingResult finding_with_sites(const Program& program) {
  const Graph graph = test::graph_of(program.trace);
  const GraphScope scope = graph_scope(graph, 0, whole(program.trace.devices[0].ops));
  const HostTimeline host(program.trace);
  return find_causes({program.trace, host, graph}, {scope}, {}).at(0).findings.at(0);
}

Lines sites_of(const Program& program) {
  Lines lines;
  for (const CallSite& site : finding_with_sites(program).sites) {
    const std::string saving =
        site.saving_ns ? test::length_of(program, *site.saving_ns) : "untold";
    lines.push_back(reports::label_of(CodePlace{site.what, site.range, site.line, site.caller}) +
                    ": " + saving);
  }
  return lines;
}

std::string wall_with(const Program& program, const std::string& fix) {
  const Graph graph = test::graph_of(program.trace);
  const HostTimeline host(program.trace);
  const Sources sources{program.trace, host, graph};
  const Graph fixed = Predictor(sources).edited_by(cli::parse_fixes(fix), Sharing::most);
  const GraphScope scope = graph_scope(graph, 0, whole(program.trace.devices[0].ops));
  return test::length_of(program, wall_of(scope, replay(fixed)));
}

// The two waits are calls of one function at different lines. Without the wait of s, B starts at 3,
// and C runs from 9 to 13. Without the wait of t, C runs from 8 to 12.
constexpr const char* same_function_twice = R"(
    thread 1  assssbtttttc....
    stream 1  .AAAA...........
    stream 2  ......BBBBB.....
    stream 3  ............CCCC
    ABC = fills 5
    s = cudaDeviceSynchronize, at src/load.cu:12
    t = cudaDeviceSynchronize, at src/step.cu:40
)";

TEST_CASE("calls of one function at two lines are two call sites, each with what it saves") {
  const Program program(same_function_twice);
  CHECK(sites_of(program) ==
        Lines{"cudaDeviceSynchronize at step.cu:40: 4", "cudaDeviceSynchronize at load.cu:12: 3"});
  const CallSite site = finding_with_sites(program).sites.at(0);
  CHECK(site.line == "src/step.cu:40");
  REQUIRE(site.stack.size() == 2);
  CHECK(site.stack[0].function == "cudaDeviceSynchronize");
  CHECK(site.stack[0].owner == CodeOwner::runtime);
  CHECK(site.stack[1].function == "main");
  CHECK(site.stack[1].file == "src/step.cu");
  CHECK(site.stack[1].line == 40);
  CHECK(site.stack[1].owner == CodeOwner::program);
}

TEST_CASE("a fix is made at a line alone, by its label or by file and line") {
  const Program program(same_function_twice);
  const std::string at_one = wall_with(program, "host-sync:site=step.cu:40");
  CHECK(at_one == "11");  // measured from 1, the start of A
  CHECK(wall_with(program, "host-sync:site=load.cu:12") == "12");
  CHECK(wall_with(program, "host-sync:site=src/step.cu:40") == at_one);
  CHECK(wall_with(program, "host-sync:site=*/step.cu:*") == at_one);
  CHECK(wall_with(program, "host-sync:site=cudaDeviceSynchronize at step.cu:40") == at_one);
  CHECK(wall_with(program, "host-sync:site=cudaDeviceSynchronize") ==
        wall_with(program, "host-sync"));
  CHECK_THROWS_AS(wall_with(program, "host-sync:site=step.cu:41"), NothingAtSite);
}

// Like same_function_twice, but both waits are at one line of a separate function.
constexpr const char* function_with_the_wait = R"(
    thread 1  assssbtttttc....
    stream 1  .AAAA...........
    stream 2  ......BBBBB.....
    stream 3  ............CCCC
    ABC = fills 5
    s = cudaDeviceSynchronize, at src/check.h:5, from src/load.cu:12
    t = cudaDeviceSynchronize, at src/check.h:5, from src/step.cu:40
)";

TEST_CASE("a line that is called from two lines is two call sites") {
  const Program program(function_with_the_wait);
  CHECK(sites_of(program) == Lines{"cudaDeviceSynchronize at check.h:5 from step.cu:40: 4",
                                   "cudaDeviceSynchronize at check.h:5 from load.cu:12: 3"});
  CHECK(finding_with_sites(program).sites.at(0).caller == "src/step.cu:40");
  const std::string at_one = wall_with(program, "host-sync:site=step.cu:40");
  CHECK(at_one == "11");
  CHECK(wall_with(program, "host-sync:site=src/load.cu:12") == "12");
  CHECK(wall_with(program, "host-sync:site=cudaDeviceSynchronize at check.h:5 from step.cu:40") ==
        at_one);
  CHECK(wall_with(program, "host-sync:site=check.h:5") == wall_with(program, "host-sync"));
}

// An empty `instead` means that the line has no caller: its function is the outermost of the
// thread.
TEST_CASE("a line with one caller is one call site, without the caller") {
  for (const char* instead : {", from src/step.cu:40", ""}) {
    INFO(instead);
    std::string text = function_with_the_wait;
    text.replace(text.find(", from src/load.cu:12"), 21, instead);
    const FindingResult finding = finding_with_sites(Program(text));
    REQUIRE(finding.sites.size() == 1);
    CHECK(finding.sites[0].line == "src/check.h:5");
    CHECK(finding.sites[0].caller.empty());
  }
}

// Stacks are sampled. Only the first launch of b has a stack.
TEST_CASE("a call without a stack gets the line of similar calls, if these have the same line") {
  const auto lines_of_b = [](const Program& program) {
    Lines lines;
    for (std::uint32_t call = 0; call < program.calls.size(); ++call) {
      if (program.calls[call] != "b") continue;
      const std::uint32_t chain = program.trace.stacks.of_call(call);
      const HostTimeline host(program.trace);
      const Graph graph = test::graph_of(program.trace);
      const Sources sources{program.trace, host, graph};
      lines.push_back(GraphNames(sources).line(chain));
    }
    return lines;
  };
  CHECK(lines_of_b(Program(R"(
    thread 1  b.b.b..
    stream 1  .B.B.B.
    b = cudaLaunchKernel, once, at a.cu:1
  )")) == Lines{"a.cu:1", "a.cu:1", "a.cu:1"});
  // d launches the same kernel at another line. But c comes directly before b, and never before d.
  CHECK(lines_of_b(Program(R"(
    thread 1  cbdcbdcb.
    stream 1  .........
    stream 2  .C.B..B.B
    stream 3  ...D..D..
    B = named k
    b = cudaLaunchKernel, once, at a.cu:1
    d = cudaLaunchKernel, once, at a.cu:2
    c = cudaLaunchKernel
    C = named other
    D = named k
  )")) == Lines{"a.cu:1", "a.cu:1", "a.cu:1"});
}

// With "once", the second launch of b has no stack. Its caller may be a.cu:1 or a.cu:2.
TEST_CASE("callers of a line are distinguished only if each call at the line has a stack") {
  const auto places_with = [](const std::string& once) {
    const Program program(R"(
      thread 1  bdbd....
      stream 1  .B.B....
      stream 2  ..D.D...
      b = cudaLaunchKernel, at run.h:1, from a.cu:1)" +
                          once + R"(
      d = cudaLaunchKernel, at run.h:1, from a.cu:2
    )");
    Lines lines;
    const HostTimeline host(program.trace);
    const Graph graph = test::graph_of(program.trace);
    const GraphNames names({program.trace, host, graph});
    for (std::uint32_t call = 0; call < program.calls.size(); ++call) {
      const std::uint32_t chain = program.trace.stacks.of_call(call);
      lines.push_back(names.line(chain) + " from " + names.caller(chain));
    }
    return lines;
  };
  CHECK(places_with("") == Lines{"run.h:1 from a.cu:1", "run.h:1 from a.cu:2",
                                 "run.h:1 from a.cu:1", "run.h:1 from a.cu:2"});
  CHECK(places_with(", once") == Lines(4, "run.h:1 from "));
}

// A fix changes the line of the wait, not the line that launches the awaited op.
TEST_CASE("a wait for an event has the line of the call that made the stream wait") {
  const Program program(R"(
    thread 1  arwb.....
    stream 1  .AAAA....
    stream 2  .....BBBB
    AB = fills 5
    a = cudaLaunchKernel, at a.cu:1
    r = cudaEventRecord, stream 1, event 1, at a.cu:2
    w = cudaStreamWaitEvent, stream 2, event 1, at a.cu:3
    b = cudaLaunchKernel, at a.cu:4
  )");
  const Graph graph = test::graph_of(program.trace);
  const HostTimeline host(program.trace);
  Places places({program.trace, host, graph}, Cause::event_wait);
  CHECK(places[places.of_holder(0, 1)].line == "a.cu:3");
  CHECK(places[places.of_task(0)].line == "a.cu:1");
  Places others({program.trace, host, graph}, Cause::stream_order);
  CHECK(others[others.of_holder(0, 1)].line == "a.cu:1");
}

TEST_CASE("the wait is the latest one for that stream before the task was issued") {
  const Program program(R"(
    thread 1  arwcstbv.......
    stream 1  .AAAA..........
    stream 2  .......BBBB....
    stream 3  ....CCC........
    ABC = fills 5
    a = cudaLaunchKernel
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1, at a.cu:3
    c = cudaLaunchKernel
    s = cudaEventRecord, stream 3, event 2
    t = cudaStreamWaitEvent, stream 2, event 2, at a.cu:5
    b = cudaLaunchKernel
    v = cudaStreamWaitEvent, stream 2, event 1, at a.cu:7
  )");
  const Graph graph = test::graph_of(program.trace);
  const HostTimeline host(program.trace);
  Places places({program.trace, host, graph}, Cause::event_wait);
  const auto task_of = [&](const std::string& name) {
    for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
      if (program.ops[0][graph.tasks[t].op] == name) return t;
    }
    return no_index;
  };
  CHECK(places[places.of_holder(task_of("A"), task_of("B"))].line == "a.cu:3");
  CHECK(places[places.of_holder(task_of("C"), task_of("B"))].line == "a.cu:5");
}

// x captures the nodes of the graph that g launches.
TEST_CASE("an edge of a CUDA graph has the line that captured its nodes") {
  Program program(R"(
    thread 1  xg.......
    stream 1  ..AAABBB.
    AB = by g
    B = after A
    x = cudaLaunchKernel, at a.cu:1
    g = cudaGraphLaunch, stream 1, at a.cu:2
  )");
  const Ops& ops = program.trace.devices[0].ops;
  program.trace.stacks.set_makers({{node_of_op(ops, 0), 0}, {node_of_op(ops, 1), 0}});
  const Graph graph = test::graph_of(program.trace);
  const HostTimeline host(program.trace);
  Places edges({program.trace, host, graph}, Cause::graph_edge);
  CHECK(edges[edges.of_holder(0, 1)].line == "a.cu:1");
  Places order({program.trace, host, graph}, Cause::stream_order);
  CHECK(order[order.of_holder(0, 1)].line == "a.cu:2");
}

TEST_CASE("what host code between calls is told by is the line of the call behind it") {
  const Program program(R"(
    thread 1  a.b........c.........
    stream 1  .AA..................
    stream 2  ...BB................
    stream 3  ............CCCCCCCC
    a = cudaLaunchKernel, at a.cu:1
    b = cudaLaunchKernel, at a.cu:2
    c = cudaLaunchKernel, at a.cu:3
    ABC = fills 5
  )");
  const Graph graph = test::graph_of(program.trace);
  const HostTimeline host(program.trace);
  const Sources sources{program.trace, host, graph};
  Places places(sources, Cause::host_compute);
  CHECK(reports::label_of(places[places.of_gap(2)]) == "host code between calls at a.cu:3");
}

}  // namespace
}  // namespace lapscope::analyzer
