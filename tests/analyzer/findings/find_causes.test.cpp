#include "analyzer/findings/find_causes.h"

#include <algorithm>

#include "analyzer/fixes/fix.h"
#include "reports/words/call_sites.h"
#include "reports/words/findings.h"
#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Lines;
using test::Program;

CausesResult causes_of(const Program& program, const CauseOptions& options = {}) {
  const Graph graph = test::graph_of(program.trace);
  const GraphScope scope = graph_scope(graph, 0, whole(program.trace.devices[0].ops));
  const HostTimeline host(program.trace);
  return find_causes({program.trace, host, graph}, {scope}, options).at(0);
}

// Returns findings such as "host-sync 4: 1 held up by 5": the saving, the number of delayed ops and
// the sum of their delays.
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

// The thread waits for the first tile before it issues the second. The kernels are too small to
// share multiprocessors, so they do not slow each other down.
constexpr const char* waits = R"(
    thread 1  abcsssssssssdef..........
    stream 1  .AAABBBBBBCC.............
    stream 2  .............DDDDEEEEFFFF
    AD = h2d
    CF = d2h
    BE = fills 10
    s = cudaStreamSynchronize, stream 1
)";

TEST_CASE("the steps of the progress that are made or left out are all there are") {
  Progress progress;
  progress.begin(0, steps_of_causes());
  CauseOptions options;
  options.progress = &progress;
  causes_of(Program(waits), options);
  CHECK(progress.done > 0);
  CHECK(progress.done == progress.expected);
}

// With the fix, the call s takes half a character instead of 9. D, E and F run 8.5 characters
// earlier.
TEST_CASE("what a fix saves is the difference of two replays") {
  const Program program(waits);
  REQUIRE(findings(program) == Lines{"host-sync 8.5: 1 held up by 8"});
  const CausesResult causes = causes_of(program);
  REQUIRE(causes.replay.wall_ns == 24 * program.unit);
  REQUIRE(causes.replay.error == 0);
  const FindingResult& finding = causes.findings.at(0);
  REQUIRE(finding.saving_share == 85'000.0 / 240'000.0);
  REQUIRE(finding.predicted.wall_ns == 155'000);
  REQUIRE(finding.predicted.overlap_ratio == 1 - 155'000.0 / 230'000.0);
  REQUIRE(finding.predicted.needs_judgement);
  REQUIRE(causes.assumed.count("quick_call") == 1);  // two launches are not enough
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

// Returns the call sites of the first finding, such as "cudaStreamSynchronize 4: 1 held up by 5". A
// fix of this site alone saves 4 characters. One op waited at this site, for 5 characters.
Lines sites(const Program& program, const CauseOptions& options = {}) {
  Lines lines;
  const FindingResult finding = causes_of(program, options).findings.at(0);
  for (const CallSite& site : finding.sites) {
    lines.push_back(reports::words_of(site.what) + ' ' +
                    (site.saving_ns ? test::length_of(program, *site.saving_ns) : "untold") + ": " +
                    std::to_string(site.occurrences) + " held up by " +
                    test::length_of(program, site.waited_ns));
  }
  return lines;
}

// Without a wait, a call takes 1 character, like a launch. Without the wait of s, B runs from 3,
// and C from 9 to 13. Without the wait of t, C runs from 8 to 12. Without both, C ends at 9.
constexpr const char* waits_twice = R"(
    thread 1  assssbtttttc....
    stream 1  .AAAA...........
    stream 2  ......BBBBB.....
    stream 3  ............CCCC
    ABC = fills 5
    s = cudaStreamSynchronize, stream 1
    t = cudaDeviceSynchronize
)";

TEST_CASE("each of several call sites has the saving of a fix at this site alone") {
  const Program program(waits_twice);
  REQUIRE(findings(program) == Lines{"host-sync 7: 2 held up by 9"});
  REQUIRE(sites(program) == Lines{"cudaDeviceSynchronize 4: 1 held up by 9",
                                  "cudaStreamSynchronize 3: 1 held up by 4"});
  const FindingResult finding = causes_of(program).findings.at(0);
  REQUIRE(finding.what.name == "cudaDeviceSynchronize");
  REQUIRE(finding.sites.at(1).what.name == "cudaStreamSynchronize");
}

// All replays of this finding assume that C and D share the whole throughput while they overlap.
TEST_CASE("savings of call sites assume the same sharing as the saving of their finding") {
  const Program program(R"(
    thread 1  assssbtttttcd....
    stream 1  .AAAA............
    stream 2  ......BBBBB......
    stream 3  ............CCCC.
    stream 4  .............DDDD
    A = h2d
    B = d2h
    s = cudaStreamSynchronize, stream 1
    t = cudaDeviceSynchronize
  )");
  REQUIRE(findings(program) == Lines{"host-sync 8: 3 held up by 9"});
  REQUIRE(sites(program) == Lines{"cudaDeviceSynchronize 4.5: 2 held up by 9",
                                  "cudaStreamSynchronize 3.283: 1 held up by 4"});
}

TEST_CASE("a place where ops waited for less than a finding must save is not replayed") {
  const Program program(waits_twice);
  CauseOptions options;
  options.least_saving_ns = 65'000;
  REQUIRE(sites(program, options) == Lines{"cudaDeviceSynchronize 4: 1 held up by 9",
                                           "cudaStreamSynchronize untold: 1 held up by 4"});
  options.sites_listed = 1;
  REQUIRE(sites(program, options).size() == 1);
}

TEST_CASE("the only place saves what the finding does") {
  REQUIRE(sites(Program(waits)) == Lines{"cudaStreamSynchronize 8.5: 1 held up by 8"});
}

// In the recording, D ends at 20. Without the barrier, D ends last, at 14. Without the wait of s, C
// ends last, at 13.
TEST_CASE("of several findings the one that saves most comes first") {
  const Program program(R"(
    thread 1    abcssssssssssmmmd...
    blocking 1  .AAAA...............
    legacy 7    .....BBBB...........
    blocking 2  .........CCCC.......
    stream 3    .................DDD
    ABCD = fills 5
    s = cudaStreamSynchronize, stream 2
    m = cudaMalloc
  )");
  REQUIRE(findings(program) ==
          Lines{"host-sync 7: 1 held up by 10", "default-stream-barrier 6: 2 held up by 7"});
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

// Layers of a network (A, C, E) alternate with communication (B, D, F). The fix "stream-order" runs
// the communication beside the next layer. Alone, it saves nothing, because the layers fill all
// multiprocessors. With "sm-saturated", the layers leave a tenth of the multiprocessors to the
// communication, and take 1 / 0.9 times as long.
TEST_CASE("if two fixes save enough only together, the first one names the other") {
  const Program program(R"(
    thread 1  abcdef...........................................
    stream 1  .AAAAAAAABBBBBBBBCCCCCCCCDDDDDDDDEEEEEEEEFFFFFFFF
    ACE = fills 100
    BDF = fills 10, named ncclDevKernel_AllReduce
  )");
  CauseOptions options;
  const CausesResult causes = causes_of(program, options);
  REQUIRE(causes.findings.empty());
  const auto& asked = causes.questions;
  REQUIRE(asked.size() == 1);
  REQUIRE(asked[0].code == "stream-order");
  REQUIRE(asked[0].then_also == "sm-saturated");
  REQUIRE_THAT(reports::fix_of(asked[0]),
               test::Containing("That alone is too little; then also sm-saturated: kernels leave "
                                "multiprocessors"));
  // The layers take 26.667 characters, and the last communication takes 8 characters.
  REQUIRE(test::length_of(program, asked[0].predicted.wall_ns) == "34.667");
  options.least_saving = 0.3;
  REQUIRE(causes_of(program, options).questions.empty());
}

// Without the edges of the graph, A, B and C would run at the same time. The trace does not show
// whether the kernels need the edges.
TEST_CASE("a fix without evidence in the trace is a question") {
  const CausesResult causes = causes_of(Program(R"(
    thread 1  g............
    stream 1  .AAAABBBBCCCC
    ABC = by g
  )"));
  REQUIRE(causes.findings.empty());
  REQUIRE(causes.questions.size() == 1);
  REQUIRE(causes.questions[0].code == "graph-edge");
  REQUIRE(causes.questions[0].if_independent);
  REQUIRE(causes.questions[0].most_saving_ns == 80'000);
  // The numbers of blocks are unknown. Each kernel may fill all multiprocessors.
  REQUIRE(causes.questions[0].if_apart);
  REQUIRE(causes.questions[0].saving_ns == 0);
  REQUIRE(causes.questions[0].predicted.needs_judgement);
  // The trace does not show whether there is independent work.
  for (const Advice& one : causes.advice) REQUIRE(one.step() != AdviceStep::independent_work);
}

// The trace does not show whether the kernels K depend on each other. If they do not, they can run
// at the same time.
TEST_CASE("small kernels in a row lead to a question with the largest saving of an overlap") {
  const CausesResult causes = causes_of(Program(R"(
    thread 1  ck.k.k.l..............
    stream 1  ...CCKKKK.KKKK.KKKK.LL
    CL = fills 100
    K = fills 25
  )"));
  REQUIRE(causes.findings.empty());
  REQUIRE(causes.questions.size() == 1);
  REQUIRE(causes.questions[0].code == "stream-order");
  REQUIRE(causes.questions[0].if_independent);
  REQUIRE(causes.questions[0].most_saving_ns > 60'000);
}

TEST_CASE("what is found is not asked as well") {
  const CausesResult causes = causes_of(Program(R"(
    thread 1  hkdhkdhkd...........
    stream 1  .HHKKDDHHKKDDHHKKDD.
    H = h2d, bytes 1000
    D = d2h, bytes 1000
  )"));
  REQUIRE(causes.findings.size() == 1);
  REQUIRE(causes.findings[0].code == "stream-order");
  REQUIRE(causes.questions.empty());
}

TEST_CASE("who allocates from a pool is told to let it keep its memory, not to use one") {
  const CausesResult causes = causes_of(Program(R"(
    thread 1  a..mmmmmmmmb..mmmmmmmmc..mmmmmmmmd.
    stream 1  .AA....................CC..........
    stream 2  ............B.....................D
    m = cudaMallocAsync
  )"));
  REQUIRE(causes.findings.at(0).code == "alloc-free");
  REQUIRE(causes.findings.at(0).what.name == "cudaMallocAsync");
  const std::string fix = reports::fix_of(causes.findings.at(0));
  REQUIRE(fix.find("ReleaseThreshold") != std::string::npos);
  REQUIRE(fix.find("cudaMallocAsync") == std::string::npos);
}

TEST_CASE("a call without a cause of its own is named when it lasts longer than the code between") {
  const CausesResult causes = causes_of(Program(R"(
    thread 1  a..mmmmmmmmb..mmmmmmmmc..mmmmmmmmd.
    stream 1  .AA....................CC..........
    stream 2  ............B.....................D
    m = cudaStreamCreate
  )"));
  REQUIRE(causes.findings.at(0).code == "host-compute");
  REQUIRE(causes.findings.at(0).what.name == "cudaStreamCreate");
  REQUIRE(reports::fix_of(causes.findings.at(0)).find("thread") == std::string::npos);
}

// Before each of the last three launches, cudaStreamCreate takes 3 characters (host-compute), and
// cudaMalloc takes 2 (alloc-free).
TEST_CASE("of two causes of the same wait, the one with less host time is judged, too") {
  const Lines found = findings(Program(R"(
    thread 1  a.qqqmmb..qqqmmc..qqqmmd..
    stream 1  .AA.....................
    stream 2  ........BB......CC......DD
    m = cudaMalloc
    q = cudaStreamCreate
  )"));
  REQUIRE(found.size() == 2);
  REQUIRE(found[0].starts_with("host-compute "));
  REQUIRE(found[1].starts_with("alloc-free "));
}

TEST_CASE("host work that is done only once is no finding, even if it takes long") {
  REQUIRE(findings(Program(R"(
    thread 1  ammmmmmmmmmmmb....
    stream 1  .AA...........BB
    m = cudaMallocHost
  )"))
              .empty());
  REQUIRE(findings(Program(R"(
    thread 1  a............b....
    stream 1  .AA...........BB
  )"))
              .empty());
}

FindingResult first_finding(const Program& program) { return causes_of(program).findings.at(0); }

bool speaks_of(std::string_view text, std::string_view what) {
  return text.find(what) != std::string::npos;
}

// M is pageable: the call m returns when the driver has copied the data of M. P shows the rate of
// the link.
TEST_CASE("for asynchronous pageable copies, the fix does not recommend cudaMemcpyAsync") {
  constexpr const char* drawing = R"(
    thread 1  pmmmmmmmmmb...
    stream 1  .PPMMMMMMM....
    stream 2  ...........BBB
    P = h2d, bytes 2097152
    M = h2d, bytes 2097152, pageable
  )";
  const FindingResult finding = first_finding(Program(drawing));
  REQUIRE(finding.code == "pageable-copy");
  REQUIRE_FALSE(speaks_of(reports::fix_of(finding), "cudaMemcpyAsync"));
  const FindingResult blocking =
      first_finding(Program(std::string(drawing) + "    m = cudaMemcpy\n"));
  REQUIRE(blocking.code == "pageable-copy");
  REQUIRE(speaks_of(reports::fix_of(blocking), "and cudaMemcpyAsync"));
}

TEST_CASE("where the rate of the link is not known, nothing is predicted of page-locking") {
  const CausesResult causes = causes_of(Program(R"(
    thread 1  mmmmmmmmmb...
    stream 1  .MMMMMMMM....
    stream 2  ..........BBB
    M = h2d, bytes 2097152, pageable
  )"));
  for (const FindingResult& finding : causes.findings) REQUIRE(finding.code != "pageable-copy");
  const auto pin = std::find_if(causes.advice.begin(), causes.advice.end(),
                                [](const Advice& one) { return one.step() == AdviceStep::pin; });
  REQUIRE(pin != causes.advice.end());
  REQUIRE(std::get<PageableCopies>(pin->seen).unknown_rate == Engine::h2d);
}

TEST_CASE("collectives are spoken of where there are some") {
  constexpr const char* drawing = R"(
    thread 1  abcdefghi......................
    stream 1  .AAABBBCCCDDDEEEFFFGGGHHHIII...
    ADG = h2d, bytes 1000
    CFI = d2h, bytes 1000
    BEH = named same
  )";
  const FindingResult finding = first_finding(Program(drawing));
  REQUIRE(finding.code == "stream-order");
  REQUIRE_FALSE(speaks_of(reports::fix_of(finding), "collectives"));
  const FindingResult other =
      first_finding(Program(std::string(drawing) + "    BEH = named ncclDevKernel_AllReduce\n"));
  REQUIRE(speaks_of(reports::fix_of(other), "collectives"));
}

TEST_CASE("streams for tiles are advised where there are tiles") {
  const auto advised = [](std::string_view drawing) {
    const CausesResult causes = causes_of(Program(drawing));
    for (const auto* list : {&causes.findings, &causes.questions}) {
      for (const FindingResult& one : *list) {
        if (one.code == "stream-order") return reports::fix_of(one);
      }
    }
    return std::string();
  };
  REQUIRE(speaks_of(advised(R"(
    thread 1  hkdhkdhkd...........
    stream 1  .HHKKDDHHKKDDHHKKDD.
    H = h2d, bytes 1000
    D = d2h, bytes 1000
  )"),
                    "each tile"));
  REQUIRE_FALSE(speaks_of(advised(R"(
    thread 1  hkhkhk.......
    stream 1  .HHKKHHKKHHKK
    H = h2d
  )"),
                          "tile"));
  REQUIRE(speaks_of(advised(R"(
    thread 1  gh.......
    stream 1  .AABBCCDD
    A = by g
    B = by g, after A
    C = by h
    D = by h, after C
  )"),
                    "Launch independent graphs"));
}

// With the fix, the copies move to another stream, and the kernels keep their order.
TEST_CASE("for copies in one direction that no kernel needs, the fix is a stream of their own") {
  const FindingResult in = causes_of(Program(R"(
    thread 1  hkhkhkhk............
    stream 1  .HHKKHHKKHHKKHHKK...
    H = h2d
  )"))
                               .findings.at(0);
  CHECK(speaks_of(reports::explanation_of(in), "A copy to the device waits"));
  CHECK(speaks_of(reports::fix_of(in), "Copy in a stream of its own"));
  const CausesResult causes = causes_of(Program(R"(
    thread 1  kdkdkdkd............
    stream 1  .KKDDKKDDKKDDKKDD...
    D = d2h
  )"));
  const FindingResult& out = causes.findings.at(0);
  CHECK(out.code == "stream-order");
  CHECK(speaks_of(reports::explanation_of(out), "waits in its stream for a copy to the host"));
  CHECK(speaks_of(reports::fix_of(out), "Copy results out in a stream of its own"));
  CHECK(speaks_of(out.sites.at(0).what.name, "d2h"));
}

// A leaves no room for B.
TEST_CASE("if the stream already has a higher priority, the fix does not recommend one") {
  constexpr const char* drawing = R"(
    thread 1  ab............
    stream 1  .AAAAAA.......
    stream 2%s ......BBBBBB
    A = fills 90
    B = fills 11
  )";
  const auto with = [&](std::string_view priority) {
    std::string text(drawing);
    return first_finding(Program(text.replace(text.find("%s "), 3, priority)));
  };
  REQUIRE(with("              ").code == "sm-saturated");
  REQUIRE(speaks_of(reports::fix_of(with("  ")), "cudaStreamCreateWithPriority"));
  REQUIRE_FALSE(speaks_of(reports::fix_of(with(" priority -5  ")), "cudaStreamCreateWithPriority"));
}

TEST_CASE("fixes that take a wait or share a buffer are marked as a matter of the data") {
  const FindingResult finding = first_finding(Program(R"(
    thread 1  a..mmmmmmmmb..mmmmmmmmc..mmmmmmmmd.
    stream 1  .AA....................CC..........
    stream 2  ............B.....................D
    m = cudaMallocHost
  )"));
  REQUIRE(finding.code == "host-pinning");
  REQUIRE(finding.predicted.needs_judgement);
  REQUIRE(speaks_of(reports::caveat_of(finding), "wait for the device"));
}

// Two threads wait at the same line. Each waits for its own work.
TEST_CASE("a call site lists the threads that make its calls") {
  const FindingResult finding = first_finding(Program(R"(
    thread 1  asssssb......
    thread 2  ctttttd......
    stream 1  .AAAAA.......
    stream 2  .CCCCC.......
    stream 3  .......BBBBB.
    stream 4  .......DDDDD.
    s = cudaStreamSynchronize, stream 1
    t = cudaStreamSynchronize, stream 2
  )"));
  REQUIRE(finding.code == "host-sync");
  REQUIRE(finding.sites.size() == 1);
  REQUIRE(finding.sites[0].threads.size() == 2);
}

// L shows the rate of the link. As one copy, B to I take 1.5 characters instead of 8. The engine
// never idles.
TEST_CASE("small copies in a row are a finding and no advice") {
  const Program program(R"(
    thread 1  lbcdefghik...........
    stream 1  .LLLLBCDEFGHIKKKKKKKK
    L = h2d, bytes 2097152
    BCDEFGHI = h2d, bytes 32768
  )");
  const CausesResult causes = causes_of(program);
  REQUIRE(findings(program) == Lines{"small-copies 6.563: 8 held up by 8"});
  const FindingResult& finding = causes.findings[0];
  REQUIRE(finding.what.name == "copy h2d");
  REQUIRE(speaks_of(reports::fix_of(finding), "one buffer"));
  REQUIRE(finding.predicted.needs_judgement);
  for (const Advice& one : causes.advice) CHECK(one.step() != AdviceStep::small_copies);
}

// With the fix, A and B begin when they are launched. C and D follow them at once, and D ends
// at 10.
TEST_CASE("for one executable graph in two streams, the fix is to instantiate it twice") {
  Program program(R"(
    thread 1  ghij.............
    stream 1  .AAAA....CCCC....
    stream 2  .....BBBB....DDDD
    A = by g, fills 10
    B = by h, fills 10
    C = by i, fills 10
    D = by j, fills 10
    gi = cudaGraphLaunch, stream 1
    hj = cudaGraphLaunch, stream 2
  )");
  for (auto& launch : program.trace.call_streams) launch.graph = 5;
  REQUIRE(findings(program) == Lines{"graph-exec-reuse 7: 3 held up by 11"});
  const FindingResult finding = first_finding(program);
  REQUIRE(speaks_of(reports::explanation_of(finding), "never overlap"));
  REQUIRE(speaks_of(reports::fix_of(finding), "once for each stream"));
  REQUIRE(causes_of(program).questions.empty());
}

}  // namespace
}  // namespace lapscope::analyzer
