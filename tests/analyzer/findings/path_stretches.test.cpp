#include "analyzer/findings/path_stretches.h"

#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Lines;
using test::Program;

// "1 to 5 work compute 4, A in 1": what it was and how long; the op and its stream; the call.
Lines stretches(const Program& program, std::size_t most) {
  const Graph graph = test::graph_of(program.trace);
  const HostTimeline host(program.trace);
  const GraphScope scope = graph_scope(graph, 0, whole(program.trace.devices[0].ops));
  Lines lines;
  const Sources sources{program.trace, host, graph};
  for (const PathStretch& stretch : stretches_of(sources, critical_path(sources, scope), 0, most)) {
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
  // Of the two of length 2 the first.
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
