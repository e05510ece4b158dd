#include "analyzer/explain/path_stretches.h"
#include "analyzer/findings/graph_scope.h"
#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Lines;
using test::Program;

// Returns the critical path of device 0, such as "1 to 5 work compute". Times are in characters.
Lines path(const Program& program, std::optional<Interval> window = {}) {
  const Graph graph = test::graph_of(program.trace);
  const Ops& ops = program.trace.devices[0].ops;
  const Scope scope = window
                          ? *within(ops, {window->start * program.unit, window->end * program.unit})
                          : whole(ops);
  Lines lines;
  const HostTimeline host(program.trace);
  const Sources sources{program.trace, host, graph};
  for (const Part& part :
       critical_path(sources, graph_scope(graph, 0, scope).tasks, scope.window)) {
    lines.push_back(test::length_of(program, part.interval.start) + " to " +
                    test::length_of(program, part.interval.end) + ' ' +
                    (part.is_work ? "work " + std::string(name_of(part.engine))
                                  : std::string(code_of(part.cause))));
  }
  return lines;
}

TEST_CASE("work that follows upon work is all there is") {
  REQUIRE(path(Program(R"(
    thread 1    abcd........
    blocking 1  .AAAA.....CC
    legacy 7    .....BBBBB..
    blocking 2  ..........DD
    A = h2d
  )")) == Lines{"1 to 5 work h2d", "5 to 10 work compute", "10 to 12 work compute"});
}

TEST_CASE("what ran beside the critical path is not on it") {
  REQUIRE(path(Program(R"(
    thread 1  ab.....
    stream 1  .AAAAAA
    stream 2  ..BBB..
  )")) == Lines{"1 to 7 work compute"});
}

TEST_CASE("after a wait of the host: its call, time outside CUDA, and the launch") {
  REQUIRE(path(Program(R"(
    thread 1  assssss.b..
    stream 1  .AAAA......
    stream 2  .........BB
    s = cudaDeviceSynchronize
  )")) == Lines{"1 to 5 work compute", "5 to 7 host-sync", "7 to 8 host-compute",
                "8 to 9 launch-overhead", "9 to 11 work compute"});
}

TEST_CASE("a call that found done what it asked for leads to nothing on the device") {
  REQUIRE(path(Program(R"(
    thread 1  a.....sb..
    stream 1  .AAA......
    stream 2  ........BB
    s = cudaDeviceSynchronize
  )")) == Lines{"1 to 6 host-compute", "6 to 7 host-sync", "7 to 8 launch-overhead",
                "8 to 10 work compute"});
}

TEST_CASE("the time from what let an op go to its start is its cause's, and beyond it nobody's") {
  REQUIRE(path(Program(R"(
    thread 1  ab..........
    stream 1  .AAAA.....BB
  )")) == Lines{"1 to 5 work compute", "5 to 7 stream-order", "7 to 10 unexplained",
                "10 to 12 work compute"});
  REQUIRE(path(Program(R"(
    thread 1  arwb......
    stream 1  .AAAAA....
    stream 2  .......BBB
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
  )")) == Lines{"1 to 6 work compute", "6 to 7 event-wait", "7 to 10 work compute"});
}

TEST_CASE("a host function is a wait, not work") {
  REQUIRE(path(Program(R"(
    thread 1  afb.........
    stream 1  .AAAA...BBBB
    f = cudaLaunchHostFunc
  )")) == Lines{"1 to 5 work compute", "5 to 7.5 host-func", "7.5 to 8 host-func",
                "8 to 12 work compute"});
}

TEST_CASE("the calls before are gone through up to the window's start") {
  REQUIRE(path(Program(R"(
    thread 1  ammmb.ccc.
    stream 1  .A........
    stream 2  .....B....
    stream 3  .........C
    m = cudaMalloc
  )")) == Lines{"1 to 4 alloc-free", "4 to 5 launch-overhead", "5 to 6 host-compute",
                "6 to 9 launch-overhead", "9 to 10 work compute"});
}

TEST_CASE("the path leads through the thread that made this one") {
  REQUIRE(path(Program(R"(
    thread 1  asssss....
    thread 2  .......b..
    stream 1  .AAAA.....
    stream 2  ........BB
    s = cudaDeviceSynchronize
  )")) == Lines{"1 to 5 work compute", "5 to 6 host-sync", "6 to 7 host-compute",
                "7 to 8 launch-overhead", "8 to 10 work compute"});
}

TEST_CASE("an op that nothing is known of ends the path: what was before is not explained") {
  REQUIRE(path(Program(R"(
    stream 1  .AA......
    stream 2  .....BBBB
  )")) == Lines{"1 to 5 unexplained", "5 to 9 work compute"});
}

TEST_CASE("parts are cut at the window, and at its end nothing was issued") {
  const Program program(R"(
    thread 1  ab.......
    stream 1  .AAAABB..
  )");
  REQUIRE(path(program, Interval{2, 7}) == Lines{"2 to 5 work compute", "5 to 7 work compute"});
  REQUIRE(path(program, Interval{2, 9}) ==
          Lines{"2 to 5 work compute", "5 to 7 work compute", "7 to 9 not-issued"});
}

using test::Lines;
using test::Program;

// Returns stretches of the path. For example, "1 to 5 work compute 4, A in 1" is the stretch from 1
// to 5. Its only part is "work compute 4": 4 characters of work with the code "compute". "A in 1"
// is the op A in stream 1.
Lines stretches(const Program& program, std::size_t most) {
  const Graph graph = test::graph_of(program.trace);
  const HostTimeline host(program.trace);
  const GraphScope scope = graph_scope(graph, 0, whole(program.trace.devices[0].ops));
  Lines lines;
  const Sources sources{program.trace, host, graph};
  for (const PathStretch& stretch :
       stretches_of(sources, critical_path(sources, scope.tasks, scope.window), 0, most)) {
    std::string line = test::length_of(program, stretch.interval.start) + " to " +
                       test::length_of(program, stretch.interval.end);
    for (const BlameRow& part : stretch.parts) {
      line += ' ' + std::string(name_of(part.kind)) + ' ' + std::string(part.code) + ' ' +
              test::length_of(program, part.ns);
    }
    if (stretch.op) line += ", " + stretch.op->name + " in " + std::to_string(stretch.op->stream);
    if (stretch.call) line += ", " + stretch.call->name;
    if (stretch.merged > 1) line += ", " + std::to_string(stretch.merged) + " parts";
    lines.push_back(line);
  }
  return lines;
}

constexpr const char* short_path = R"(
    thread 1  assssss.b..
    stream 1  .AAAA......
    stream 2  .........BB
    s = cudaDeviceSynchronize
    A = h2d
    B = named last
)";

TEST_CASE("a short path is told part by part, with the op and the call of each") {
  REQUIRE(stretches(Program(short_path), 9) ==
          Lines{"1 to 5 work h2d 4, copy h2d in 1",
                "5 to 7 wait host-sync 2, last in 2, cudaDeviceSynchronize",
                "7 to 8 wait host-compute 1, last in 2, cudaDeviceSynchronize",
                "8 to 9 wait launch-overhead 1, last in 2, cudaLaunchKernel",
                "9 to 11 work compute 2, last in 2"});
}

TEST_CASE("of a long path the longest parts are told, and the sum of what is between") {
  REQUIRE(
      stretches(Program(short_path), 1) ==
      Lines{"1 to 5 work h2d 4, copy h2d in 1",
            "5 to 11 work compute 2 wait host-sync 2 wait host-compute 1 wait launch-overhead 1, "
            "4 parts"});
  // Two stretches have length 2. The first of them is kept.
  REQUIRE(stretches(Program(short_path), 2) ==
          Lines{"1 to 5 work h2d 4, copy h2d in 1",
                "5 to 7 wait host-sync 2, last in 2, cudaDeviceSynchronize",
                "7 to 11 work compute 2 wait host-compute 1 wait launch-overhead 1, 3 parts"});
}

TEST_CASE("a single part that is not among the longest is told as itself") {
  REQUIRE(stretches(Program(short_path), 4) == stretches(Program(short_path), 9));
}

}  // namespace
}  // namespace lapscope::analyzer
