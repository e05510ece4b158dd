#include "analyzer/findings/find_causes.h"

#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Lines;
using test::Program;

CausesResult causes_of(const Program& program, const CauseOptions& options = {}) {
  const Graph graph = test::graph_of(program.trace);
  const Scoped scope = scoped(graph, 0, whole(program.trace.devices[0].ops));
  const HostTimeline host(program.trace);
  return find_causes({program.trace, host, graph}, {scope}, options).at(0);
}

// "host-sync 4: 1 held up by 5": the saving, the ops that were held up and by how much.
Lines findings(const Program& program, const CauseOptions& options = {}) {
  Lines lines;
  for (const FindingResult& finding : causes_of(program, options).findings) {
    lines.push_back(std::string(finding.code) + ' ' + test::length_of(program, finding.saving_ns) +
                    ": " + std::to_string(finding.occurrences) + " held up by " +
                    test::length_of(program, finding.waited_ns));
  }
  return lines;
}

Lines blame(const Program& program) {
  Lines lines;
  for (const BlameRow& row : causes_of(program).blame) {
    lines.push_back(std::string(name_of(row.kind)) + ' ' + std::string(row.code) + ' ' +
                    test::length_of(program, row.ns));
  }
  return lines;
}

// Two tiles in two streams; the thread waits for the first before it issues the second.
constexpr const char* waits = R"(
    thread 1  abcsssssssssdef..........
    stream 1  .AAABBBBBBCC.............
    stream 2  .............DDDDEEEEFFFF
    AD = h2d
    CF = d2h
    s = cudaStreamSynchronize, stream 1
)";

// The call takes half a character then: D runs from 4.5, E from 8.5 and F from 12.5 to 16.5.
TEST_CASE("what a fix saves is the difference of two replays") {
  const Program program(waits);
  REQUIRE(findings(program) == Lines{"host-sync 8.5: 1 held up by 9"});
  const CausesResult causes = causes_of(program);
  REQUIRE(causes.replay.wall_ns == 24 * program.unit);
  REQUIRE(causes.replay.error == 0);
  const FindingResult& finding = causes.findings.at(0);
  REQUIRE(finding.saving_share == 85'000.0 / 240'000.0);
  REQUIRE(finding.predicted.wall_ns == 155'000);
  REQUIRE(finding.predicted.overlap_ratio == 1 - 155'000.0 / 230'000.0);
  REQUIRE(finding.predicted.needs_judgement);
}

TEST_CASE("what saves less than was asked for is not reported") {
  const Program program(waits);
  CauseOptions options;
  options.least_saving = 0.3;
  REQUIRE(findings(program, options).size() == 1);
  options.least_saving = 0.9;
  REQUIRE(findings(program, options).empty());
  options.least_saving = 0.3;
  options.least_saving_ns = 20 * program.unit;
  REQUIRE(findings(program, options).empty());
}

TEST_CASE("where an engine always works there is nothing to be found") {
  const Program program(R"(
    thread 1  abcdefg..................
    stream 1  .AAAAAADDDDDDEEEEEEFFFFFF
    stream 2  .......BBB...CCC...GGG...
    ADEF = h2d
  )");
  REQUIRE(findings(program).empty());
  const CausesResult causes = causes_of(program);
  REQUIRE(causes.bound_by == "h2d");
  REQUIRE(causes.bound_share == 1);
}

// The places of the first finding, as "cudaStreamSynchronize 4: 1 held up by 5".
Lines sites(const Program& program, const CauseOptions& options = {}) {
  Lines lines;
  const FindingResult finding = causes_of(program, options).findings.at(0);
  for (const CallSite& site : finding.sites) {
    lines.push_back(site.what + ' ' +
                    (site.saving_ns ? test::length_of(program, *site.saving_ns) : "untold") + ": " +
                    std::to_string(site.occurrences) + " held up by " +
                    test::length_of(program, site.waited_ns));
  }
  return lines;
}

// Two calls wait. Without s, which takes half a character then, B runs from 2.5 and C from 8.5 to
// 12.5. Without t C runs from 7.5 to 11.5; without both to 8.
constexpr const char* waits_twice = R"(
    thread 1  assssbtttttc....
    stream 1  .AAAA...........
    stream 2  ......BBBBB.....
    stream 3  ............CCCC
    s = cudaStreamSynchronize, stream 1
    t = cudaDeviceSynchronize
)";

TEST_CASE("of several places each is told with what the fix would save there alone") {
  const Program program(waits_twice);
  REQUIRE(findings(program) == Lines{"host-sync 8: 2 held up by 18"});
  REQUIRE(sites(program) == Lines{"cudaDeviceSynchronize 4.5: 1 held up by 12",
                                  "cudaStreamSynchronize 3.5: 1 held up by 6"});
  const FindingResult finding = causes_of(program).findings.at(0);
  REQUIRE(finding.what == "cudaDeviceSynchronize");
  REQUIRE(finding.sites.at(1).fix_argument == "host-sync:site=cudaStreamSynchronize");
}

TEST_CASE("a place where ops waited for less than a finding must save is not replayed") {
  const Program program(waits_twice);
  CauseOptions options;
  options.least_saving_ns = 65'000;
  REQUIRE(sites(program, options) == Lines{"cudaDeviceSynchronize 4.5: 1 held up by 12",
                                           "cudaStreamSynchronize untold: 1 held up by 6"});
  options.sites_listed = 1;
  REQUIRE(sites(program, options).size() == 1);
}

TEST_CASE("the only place saves what the finding does") {
  REQUIRE(sites(Program(waits)) == Lines{"cudaStreamSynchronize 8.5: 1 held up by 9"});
}

// Without the barrier C ends at 7 and D at 14; without the wait C ends at 13 and D before it.
TEST_CASE("of several findings the one that saves most comes first") {
  const Program program(R"(
    thread 1    abcssssssssssmmmd...
    blocking 1  .AAAA...............
    legacy 7    .....BBBB...........
    blocking 2  .........CCCC.......
    stream 3    .................DDD
    s = cudaStreamSynchronize, stream 2
    m = cudaMalloc
  )");
  REQUIRE(findings(program) ==
          Lines{"host-sync 7: 1 held up by 17", "default-stream-barrier 6: 2 held up by 9"});
}

TEST_CASE("blame keeps work and waits apart, most first, and sums to the wall time") {
  REQUIRE(blame(Program(R"(
    thread 1  assssss.b..
    stream 1  .AAAA......
    stream 2  .........BB
    s = cudaDeviceSynchronize
    A = h2d
  )")) == Lines{"work h2d 4", "work compute 2", "wait host-sync 2", "wait host-compute 1",
                "wait launch-overhead 1"});
}

TEST_CASE("work of another device that the path leads through is called so") {
  REQUIRE(blame(Program(R"(
    thread 1                      arwbsvc.......
    stream 1                      .AAA......CCCC
    stream 12 context 2 device 1  ....BBBBBB....
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 12, event 1
    s = cudaEventRecord, stream 12, event 2
    v = cudaStreamWaitEvent, stream 1, event 2
  )")) == Lines{"work compute 7", "work other-device 6"});
}

// The layers of a network, each followed by communication. In a stream of its own it starts with
// the next layer, a tenth of whose blocks then wait for it: nothing is gained. With a tenth of the
// multiprocessors left to it the layers take 1 / 0.9 as long, and it runs beside them.
//
//   stream 1   AAAABBBBCCCCDDDD      one stream each   AAAACCCCcccc
//                                                          BBBB    DDDD
TEST_CASE("of fixes that bring enough only together, the first names the other") {
  const Program program(R"(
    thread 1  abcdef...........................................
    stream 1  .AAAAAAAABBBBBBBBCCCCCCCCDDDDDDDDEEEEEEEEFFFFFFFF
    ACE = fills 100
    BDF = fills 10, named ncclDevKernel_AllReduce
  )");
  CauseOptions options;
  const auto found = causes_of(program, options).findings;
  REQUIRE(found.size() == 1);
  REQUIRE(found[0].code == "stream-order");
  REQUIRE(found[0].then_also == "sm-saturated");
  REQUIRE(found[0].fix_argument == "stream-order --fix sm-saturated");
  REQUIRE_THAT(
      found[0].fix,
      test::Containing("That alone saves 0 %; then also sm-saturated: kernels leave room"));
  // The layers take 26.667, and the last communication 8.
  REQUIRE(test::length_of(program, found[0].predicted.wall_ns) == "34.667");
  options.least_saving = 0.3;
  REQUIRE(causes_of(program, options).findings.empty());
}

TEST_CASE("who allocates from a pool is told to let it keep its memory, not to use one") {
  const CausesResult causes = causes_of(Program(R"(
    thread 1  a..mmmmmmmmb.
    stream 1  .AA..........
    stream 2  ............B
    m = cudaMallocAsync
  )"));
  REQUIRE(causes.findings.at(0).code == "alloc-free");
  REQUIRE(causes.findings.at(0).what == "cudaMallocAsync");
  const std::string& fix = causes.findings.at(0).fix;
  REQUIRE(fix.find("ReleaseThreshold") != std::string::npos);
  REQUIRE(fix.find("cudaMallocAsync") == std::string::npos);
}

TEST_CASE("a call without a cause of its own is named when it lasts longer than the code between") {
  const CausesResult causes = causes_of(Program(R"(
    thread 1  a..mmmmmmmmb.
    stream 1  .AA..........
    stream 2  ............B
    m = cudaStreamCreate
  )"));
  REQUIRE(causes.findings.at(0).code == "host-compute");
  REQUIRE(causes.findings.at(0).what == "cudaStreamCreate");
  REQUIRE(causes.findings.at(0).fix.find("thread") == std::string::npos);
}

}  // namespace
}  // namespace lapscope::analyzer
