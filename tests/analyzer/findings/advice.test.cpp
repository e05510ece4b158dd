#include "analyzer/findings/advice/advice_for.h"

#include <algorithm>

#include "analyzer/findings/find_causes.h"
#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Lines;
using test::Program;

std::vector<Advice> advice_of(const Program& program) {
  const Graph graph = test::graph_of(program.trace);
  const HostTimeline host(program.trace);
  const GraphScope scope = graph_scope(graph, 0, whole(program.trace.devices[0].ops));
  return find_causes({program.trace, host, graph}, {scope}, {}).at(0).advice;
}

Lines steps(const Program& program) {
  Lines lines;
  for (const Advice& one : advice_of(program)) lines.emplace_back(code_of(one.step()));
  return lines;
}

TEST_CASE("where a link is busy all the time, streams cannot help") {
  REQUIRE(steps(Program(R"(
    thread 1  abcdefg..................
    stream 1  .AAAAAADDDDDDEEEEEEFFFFFF
    stream 2  .......BBB...CCC...GGG...
    ADEF = h2d
  )")) == Lines{"bound"});
}

TEST_CASE("where kernels run all the time, it is they that must get quicker") {
  REQUIRE(steps(Program(R"(
    thread 1  ab.........
    stream 1  .AAAAABBBBB
  )")) == Lines{"bound"});
}

TEST_CASE("where kernels leave most multiprocessors idle all the time, there is room for others") {
  for (const auto& [blocks, step] : {std::pair{"20", "few-blocks"}, {"50", "bound"}}) {
    const Program program(std::string(R"(
    thread 1  ab.........
    stream 1  .AAAAABBBBB
    AB = fills )") + blocks);
    INFO(blocks);
    REQUIRE(steps(program) == Lines{step});
  }
}

TEST_CASE("kernels beside each other already have streams of their own") {
  REQUIRE(steps(Program(R"(
    thread 1  ab.........
    stream 1  .AAAAAAAAAA
    stream 2  ..BBBBBBBBB
    AB = fills 20
  )")) == Lines{"bound"});
}

TEST_CASE("what communicates needs few multiprocessors") {
  REQUIRE(steps(Program(R"(
    thread 1  ab.........
    stream 1  .AAAAABBBBB
    AB = fills 20, named ncclDevKernel_AllReduce
  )")) != Lines{"few-blocks"});
}

// A character is 10 us. The time from one kernel to the next is 10 us.
TEST_CASE("for kernels with gaps between them, the advice is a graph") {
  const Program program(R"(
    thread 1  abcd...........
    stream 1  .AAA.BBB.CCC.DD
  )");
  REQUIRE(std::get<GapsBetweenKernels>(advice_of(program).at(0).seen).gaps == 3);
}

TEST_CASE("where another stream fills the gaps between kernels, a graph does not help") {
  const Lines given = steps(Program(R"(
    thread 1  abcdz..........
    stream 1  .AAA.BBB.CCC.DD
    stream 2  ..ZZZZZZZZZZZZZ
  )"));
  REQUIRE(std::count(given.begin(), given.end(), "graph") == 0);
}

TEST_CASE("one large copy before a kernel is to be cut into tiles") {
  REQUIRE(steps(Program(R"(
    thread 1  ab...........
    stream 1  .AAAAAABBBBBB
    A = h2d
  )")) == Lines{"chunk"});
}

// The link copies 52 GB/s, and small copies reach only 3.3 GB/s.
TEST_CASE("for many small copies, the advice is one copy") {
  constexpr const char* drawing = R"(
    thread 1  lbcdefghi...............
    stream 1  .LLLLBCDEFGHI...........
    stream 2  ....................KKKK
    L = h2d, bytes 2097152
    BCDEFGHI = h2d, bytes %s
  )";
  const auto with = [&](std::string_view bytes) {
    std::string text(drawing);
    const Lines said = steps(Program(text.replace(text.find("%s"), 2, bytes)));
    return std::count(said.begin(), said.end(), "small-copies");
  };
  REQUIRE(with("32768") == 1);
  REQUIRE(with("500000") == 0);  // close to the rate of the link
}

TEST_CASE("where no large copy and no link tells the rate, small copies are not spoken of") {
  const Lines said = steps(Program(R"(
    thread 1  bcdefghi.....
    stream 1  .BCDEFGHI....
    stream 2  .........KKKK
    BCDEFGHI = h2d, bytes 32768
  )"));
  REQUIRE(std::count(said.begin(), said.end(), "small-copies") == 0);
}

// There is no advice to split copies into smaller ones, because each takes less than a fifth of the
// wall time.
TEST_CASE("tiles that are small need not be smaller") {
  REQUIRE(steps(Program(R"(
    thread 1  abcdefgh.............
    stream 1  .AABBBCCDDDEEFFFGGHHH
    ACEG = h2d
  )"))
              .empty());
}

TEST_CASE("a copy that has something beside it is not to be cut") {
  REQUIRE(steps(Program(R"(
    thread 1  ab......c......
    stream 1  .AAAAAA..CCCCCC
    stream 2  .BBBBBBB.......
    A = h2d
  )")) != Lines{"chunk"});
}

// The kernels wait for the communication.
TEST_CASE("communication that nothing hides is named") {
  REQUIRE(steps(Program(R"(
    thread 1  arwbsvc..........
    stream 1  .AAAAAA.....CCCCC
    stream 2  .......BBBBB.....
    B = named ncclDevKernel_AllReduce
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
    s = cudaEventRecord, stream 2, event 2
    v = cudaStreamWaitEvent, stream 1, event 2
  )")) == Lines{"communication"});
}

// B waits for A: in the first case because of their stream, in the second because of an event.
TEST_CASE("the advice tells whether communication is in the stream of the kernels") {
  const auto is_behind_kernels = [](const std::string& stream) {
    const std::vector<Advice> advice = advice_of(Program(R"(
      thread 1  arwb.........
      stream 1  .AAAAAA......
      stream )" + stream + R"(  .......BBBBB.
      B = named ncclDevKernel_AllReduce
      r = cudaEventRecord, stream 1, event 1
      w = cudaStreamWaitEvent, stream )" + stream + ", event 1"));
    return std::get<ExposedCommunication>(advice.front().seen).is_behind_kernels;
  };
  CHECK(is_behind_kernels("1"));
  CHECK_FALSE(is_behind_kernels("2"));
}

// Three all-reduces of one size take 2, 5 and 6 characters. All time above 2 characters is waiting:
// for other ranks, or for room.
TEST_CASE("if communication takes longer than the quickest of its kind, the excess is waiting") {
  const std::vector<Advice> advice = advice_of(Program(R"(
      thread 1  abcd...............
      stream 1  .AAAA..............
      stream 2  .....BBCCCCCDDDDDD.
      BCD = named ncclDevKernel_AllReduce)"));
  REQUIRE_FALSE(advice.empty());
  const auto& seen = std::get<ExposedCommunication>(advice.front().seen);
  CHECK(seen.share == Approx(13.0 / 17));
  CHECK(seen.waiting == Approx((13.0 - 6) / 17));
}

// The link carries 10 kB in each character (10 us). B has 40 kB. If B is a collective, at least
// half of its bytes cross the link, in 2 characters. If B is a message, all of its bytes cross the
// link, in 4 characters.
TEST_CASE("the time that the links need for the data is no waiting") {
  Program program(R"(
      thread 1  ab.............
      stream 1  .AAAA..........
      stream 2  .....BBBBBBBBBB
      B = named ncclDevKernel_AllReduce)");
  Trace& trace = program.trace;
  const auto most_waiting = [&] {
    const std::vector<Advice> advice = advice_of(program);
    const auto& seen = std::get<ExposedCommunication>(advice.front().seen);
    return 14 * seen.most_waiting;
  };
  CHECK(most_waiting() == Approx(10));
  trace.devices[0].links.peer = 1'000'000'000;
  CHECK(most_waiting() == Approx(10));
  trace.messages = {{.call = 1, .bytes = 40'000}};
  CHECK(most_waiting() == Approx(10 - 2));
  trace.messages[0].peer = 1;
  CHECK(most_waiting() == Approx(10 - 4));
}

// The link needs 4 characters for the data of B. C hides 3 characters of B, so at least 1 of the 4
// is exposed.
TEST_CASE("data that crosses the links in hidden time does not shorten the exposed waiting") {
  Program program(R"(
      thread 1  abc............
      stream 1  .AAAA..........
      stream 2  .....BBBBBBBBBB
      stream 3  .......CCC.....
      B = named ncclDevKernel_AllReduce)");
  program.trace.devices[0].links.peer = 1'000'000'000;
  program.trace.messages = {{.call = 1, .bytes = 40'000, .peer = 1}};
  const std::vector<Advice> advice = advice_of(program);
  const auto& seen = std::get<ExposedCommunication>(advice.front().seen);
  CHECK(14 * seen.share == Approx(7));
  CHECK(14 * seen.most_waiting == Approx(7 - 1));
}

// The trace does not show the rate of page-locked copies, so there can be no finding.
TEST_CASE("page-locked memory is advice if it cannot be a finding") {
  REQUIRE(steps(Program(R"(
    thread 1  ma..........
    stream 1  .MMAAAAAAAAA
    M = h2d, bytes 4096, pageable
  )")) == Lines{"pin"});
}

TEST_CASE("page-locked memory is the main advice if pageable copies take most of the time") {
  const std::vector<Advice> advice = advice_of(Program(R"(
    thread 1  mmmmmmnnnnnna..
    stream 1  .MMMMMMNNNNNNAA
    MN = h2d, bytes 4194304, pageable
    mn = cudaMemcpy
  )"));
  REQUIRE(advice.size() == 1);
  CHECK(advice[0].step() == AdviceStep::pin);
  CHECK(advice[0].is_main);
  CHECK(std::get<PageableCopies>(advice[0].seen).share > 0.8);
}

// Four copies of 2 MiB take 40 us each (52 GB/s). Four more take 100 us each.
constexpr const char* quick_and_slow = R"(
    thread 1  abcdefgh................................................
    stream 1  .AAAABBBBCCCCDDDDEEEEEEEEEEFFFFFFFFFFGGGGGGGGGGHHHHHHHHHH
    ABCD = h2d, bytes 2097152
    EFGH = h2d, bytes %s
    efgh = cudaMemcpy2DAsync
  )";

TEST_CASE("copies that are far slower than their link are named with both rates") {
  const auto advice_with = [](std::string_view bytes) {
    std::string text(quick_and_slow);
    return advice_of(Program(text.replace(text.find("%s"), 2, bytes)));
  };
  const std::vector<Advice> advice = advice_with("1048576");
  REQUIRE_FALSE(advice.empty());
  REQUIRE(advice[0].step() == AdviceStep::slow_copies);
  CHECK(advice[0].is_main);
  const auto& slow = std::get<SlowCopies>(advice[0].seen);
  CHECK(slow.engine == Engine::h2d);
  CHECK(slow.link == 2097152.0 / 40'000);
  CHECK(slow.rate < slow.link / 2);
  // With 5 MiB, the copies E to H have the same rate as A to D.
  const std::vector<Advice> none = advice_with("5242880");
  REQUIRE_FALSE(none.empty());
  CHECK(none[0].step() == AdviceStep::bound);
  CHECK(std::get<BoundByCopies>(none[0].seen).rate == 2097152.0 / 40'000);
}

TEST_CASE("that copies go row by row is told by the function that makes them") {
  const std::vector<Advice> advice = advice_of(Program(R"(
    thread 1  aefgh....................................................
    stream 1  .AAAAEEEEEEEEEEEEEFFFFFFFFFFFFFFGGGGGGGGGGGGGGHHHHHHHHHHH
    A = h2d, bytes 2097152
    EFGH = h2d, bytes 1048576
    efgh = cudaMemcpy2DAsync
  )"));
  REQUIRE(advice.at(0).step() == AdviceStep::slow_copies);
  CHECK(std::get<SlowCopies>(advice[0].seen).function == "cudaMemcpy2DAsync");
  CHECK(std::get<SlowCopies>(advice[0].seen).is_of_rows);
}

// No fix is known for the time before the first call of the second thread.
TEST_CASE("if no fix makes the host faster, more streams are no advice") {
  REQUIRE(steps(Program(R"(
    thread 1  a..........
    thread 2  ........b..
    stream 1  .AA........
    stream 2  .........BB
  )")) == Lines{"host"});
}

TEST_CASE("where nothing is known to help, only other work is left to overlap with") {
  REQUIRE(steps(Program(R"(
    thread 1  ab.....
    stream 1  .AAAAAB
    B = d2h
  )")) == Lines{"independent-work"});
}

// C is behind B in the hardware queue, and B waits for A.
TEST_CASE("if streams share the largest number of queues, the advice is fewer streams") {
  Program program(R"(
    thread 1            abc........
    stream 1 channel 1  .AAAABBBB..
    stream 2 channel 1  .....CCCCCC
  )");
  const auto has_queues = [&] {
    const Lines told = steps(program);
    return std::find(told.begin(), told.end(), "queues") != told.end();
  };
  REQUIRE_FALSE(has_queues());
  program.trace.settings["CUDA_DEVICE_MAX_CONNECTIONS"] = "32";
  REQUIRE(has_queues());
}

}  // namespace
}  // namespace lapscope::analyzer
