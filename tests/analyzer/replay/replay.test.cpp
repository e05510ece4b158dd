#include "analyzer/replay/replay.h"

#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::graph_of;
using test::Lines;
using test::Program;
using test::recorded;
using test::replayed;

// Programs in which every delay has a known cause.
constexpr const char* programs[] = {
    // A pipeline in two streams: engines, stream order and copies in both directions.
    R"(
    thread 1  abcdefgh...........
    stream 1  .AAAABBBBCCCC..GGGG
    stream 2  .....DDDDEEEEFFFF..
    stream 3  .........HHHH......
    ADH = h2d
    CF = d2h
    )",
    // Barriers of the default stream between late launches.
    R"(
    thread 1    abcd......e....
    blocking 1  .AAAA....CCEEE.
    legacy 7    .....BBBB......
    blocking 2  .........DDD...
    )",
    // Events, including one of another device.
    R"(
    thread 1                      arwbsvc.......
    stream 1                      .AAAA.........
    stream 2                      .....BBBB.....
    stream 12 context 2 device 1  .........CCC..
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
    s = cudaEventRecord, stream 2, event 2
    v = cudaStreamWaitEvent, stream 12, event 2
    )",
    // A thread that waits in four ways, and works between the calls.
    R"(
    thread 1  assssss..bttttt.cuuuuuudfffff.e..
    stream 1  .AAAAA....BBBB...CCCCC..DDD....EE
    s = cudaDeviceSynchronize
    t = cudaStreamSynchronize, stream 1
    u = cudaFreeHost
    f = cudaFree
    )",
    // A copy of pageable memory, then a blocking copy.
    R"(
    thread 1  ammmmmmmkkkkkb...
    legacy 7  .AAMMMMM.KKKK.BBB
    MK = h2d
    M = h2d, pageable
    k = cudaMemcpy
    )",
    // Three threads. The first one creates and joins the others.
    R"(
    thread 1  a................f..
    thread 2  .b..c.............
    thread 3  ..d......e........
    stream 1  .AA...............FF
    stream 2  ..BBBCCCC.........
    stream 3  ...DDDDDD.EEEE.....
    )",
    // Host functions of two streams, one after the other.
    R"(
    thread 1  afbcgd.........
    stream 1  .AAAA...BBBB...
    stream 2  ....CC.....DDDD
    fg = cudaLaunchHostFunc
    )",
    // A graph that forks and joins, beside plain launches.
    R"(
    thread 1  gcd...............
    stream 1  .AAABBBBBBB..EEEDD
    stream 9  ....FFFFFFFFF.....
    stream 2  ..CCCCCCCCCCCCC...
    ABFE = by g
    )",
    // Kernels that wait for room, and a kernel that finds room.
    R"(
    thread 1  abcd..........
    stream 1  .AAAAA........
    stream 2  ......BBBB....
    stream 3  ......CCCCC...
    stream 4  ..........DDDD
    A = fills 100
    B = fills 60
    C = fills 40
    D = fills 50
    )",
    // A hardware channel that two streams share.
    R"(
    thread 1            abc......
    stream 1 channel 1  .AAAABBBB
    stream 2 channel 1  .....CCCC
    )",
    // Code that is loaded by a launch.
    R"(
    thread 1   abbbcd......
    loading 1  ..m.........
    stream 1   .AAAAAAA....
    stream 2   ........BBBB
    stream 3   ........CCDD
    )",
    // Launches that block.
    R"(
    thread 1  aaaaaabbbbb.cccc
    stream 1  .AAAAA..BBB..CCC
    )",
    // Polling.
    R"(
    thread 1  arpqpqpqb..
    stream 1  .AAAAAA..BB
    r = cudaEventRecord, stream 1, event 1
    pq = cudaEventQuery, event 1
    )",
};

TEST_CASE("a program that is not changed takes the time that it took, op by op") {
  for (const char* drawing : programs) {
    INFO(drawing);
    const Program program(drawing);
    const Graph graph = graph_of(program.trace);
    REQUIRE(replayed(program, graph) == recorded(program, graph));
    REQUIRE(replay(graph).stuck == 0);
  }
}

TEST_CASE("an op keeps its unexplained delay if the op ahead takes longer") {
  const Program program(R"(
    thread 1  ab.............
    stream 1  .AAAA......BBBB
  )");
  Graph graph = graph_of(program.trace);
  REQUIRE(replayed(program, graph) == Lines{"A 1 to 5", "B 11 to 15"});
  graph.lengths.edit()[test::task_of(program, graph, "A")].work *= 2;
  REQUIRE(replayed(program, graph) == Lines{"A 1 to 9", "B 15 to 19"});
}

// In the recording, B starts six characters after the end of its call. At most two of the six are
// latency. The others are unexplained.
TEST_CASE("an op keeps its unexplained delay if its call comes earlier in the replay") {
  const Program program(R"(
    thread 1  a.........b........
    stream 1  .AA..............BB
  )");
  Graph graph = graph_of(program.trace);
  REQUIRE(replayed(program, graph) == Lines{"A 1 to 3", "B 17 to 19"});
  graph.steps.edit()[1].gap = 0;
  REQUIRE(replayed(program, graph) == Lines{"A 1 to 3", "B 8 to 10"});
}

// In the recording, B waited for the host. In the replay, B waits for A.
TEST_CASE("an op keeps its unexplained delay if it waits for something else in the replay") {
  const Program program(R"(
    thread 1  a.........b........
    stream 1  .AA..............BB
  )");
  Graph graph = graph_of(program.trace);
  const std::uint32_t a = test::task_of(program, graph, "A");
  const std::uint32_t b = test::task_of(program, graph, "B");
  graph.steps.edit()[1].gap = 0;
  graph.lengths.edit()[a].work = 11 * program.unit;
  const Replayed run = replay(graph);
  REQUIRE(run.tasks[a].end == 12 * program.unit);
  REQUIRE(run.tasks[b].start - run.tasks[a].end >= 4 * program.unit);
}

// The driver may load code before it starts the first ops.
TEST_CASE("the first ops of a device keep their unexplained delay") {
  const Program program(R"(
    thread 1  abc................
    stream 1  ........AAAABBBB...
    stream 2  .........CCC.......
    AC = h2d
  )");
  REQUIRE(replayed(program, graph_of(program.trace)) ==
          Lines{"A 8 to 12", "B 12 to 16", "C 9 to 12"});
}

TEST_CASE("an op without a call starts when it did") {
  const Program program(R"(
    stream 1  ..AAAA...BBB
  )");
  REQUIRE(replayed(program, graph_of(program.trace)) == Lines{"A 2 to 6", "B 9 to 12"});
}

// B was launched to begin before the end of A (programmatic dependent launch).
TEST_CASE("a kernel that started early begins its work when the kernel ahead ends") {
  const Program program(R"(
    thread 1  ab........
    stream 1  .AAAA.....
    stream 1  ...BBBB...
  )");
  Graph graph = graph_of(program.trace);
  CHECK(replayed(program, graph) == Lines{"A 1 to 5", "B 5 to 7"});
  const std::uint32_t a = test::task_of(program, graph, "A");
  graph.lengths.edit()[a].work *= 2;
  CHECK(replayed(program, graph) == Lines{"A 1 to 9", "B 9 to 11"});
  graph.lengths.edit()[a].work /= 4;
  CHECK(replayed(program, graph) == Lines{"A 1 to 3", "B 3 to 5"});
}

TEST_CASE("a thread that waits goes on when what it waits for ends") {
  const Program program(R"(
    thread 1  asssss.b..
    stream 1  .AAAA.....
    stream 2  ........BB
    s = cudaDeviceSynchronize
  )");
  Graph graph = graph_of(program.trace);
  graph.lengths.edit()[test::task_of(program, graph, "A")].work *= 2;
  // Three characters of host time remain: one each for the rest of the call, the time outside CUDA,
  // and the launch.
  REQUIRE(replayed(program, graph) == Lines{"A 1 to 9", "B 12 to 14"});
}

TEST_CASE("what a thread waited for in vain is waited for once it takes longer") {
  const Program program(R"(
    thread 1  a.....sb..
    stream 1  .AAA......
    stream 2  ........BB
    s = cudaDeviceSynchronize
  )");
  Graph graph = graph_of(program.trace);
  graph.lengths.edit()[test::task_of(program, graph, "A")].work *= 3;
  // The call ends half a character after the op that it waits for.
  REQUIRE(replayed(program, graph) == Lines{"A 1 to 10", "B 11.5 to 13.5"});
}

TEST_CASE("an event of the model holds an op for as long as it lasts, and no other one") {
  const Program program(R"(
    thread 1  arwbc.......
    stream 1  .AAAA.......
    stream 2  .....BBB....
    stream 3  .....CCC....
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
  )");
  Graph graph = graph_of(program.trace);
  graph.lengths.edit()[test::task_of(program, graph, "A")].work *= 2;
  REQUIRE(replayed(program, graph) == Lines{"A 1 to 9", "B 9 to 12", "C 5 to 8"});
}

TEST_CASE("a copy engine goes on with what is ready, in the order in which it became so") {
  const Program program(R"(
    thread 1  abcde..............
    stream 1  .AAAAAAABBB........
    stream 2  ...........CCC.....
    stream 3  ..............DDD..
    stream 3  .................EE
    BCDE = d2h
  )");
  // In the recording, C and D waited for B, which occupied the engine while it waited for A. The
  // replay starts C and D as soon as they are ready and the engine runs nothing. E follows D. The
  // trace shows no latency from the host to a copy.
  REQUIRE(replayed(program, graph_of(program.trace)) ==
          Lines{"A 1 to 8", "B 9 to 12", "C 3 to 6", "D 6 to 9", "E 12 to 14"});
}

TEST_CASE("with a channel that they share, a copy stays behind the one that waits for its stream") {
  const Program program(R"(
    thread 1            abc............
    stream 1            .AAAAAABBBB....
    stream 2            ...........CCCC
    B = d2h, channel 9
    C = d2h, channel 9
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(replayed(program, graph) == recorded(program, graph));
}

// A copy has the rate 1 alone, and 0.92 beside a copy in the other direction.
TEST_CASE("copies in both directions slow each other down while both run") {
  const Program program(R"(
    thread 1  a....bc..............
    stream 1  .AAAAAAAA............
    stream 2  ......BBBBBBBB.......
    stream 3  ...............CCCCCC
    A = h2d
    B = d2h
  )");
  Graph graph = graph_of(program.trace);
  const std::uint32_t a = test::task_of(program, graph, "A");
  const std::uint32_t b = test::task_of(program, graph, "B");
  REQUIRE(graph.traits[0].both_directions == 0.92);
  REQUIRE(graph.lengths[a].work == 77'600);  // 3 of its 8 overlapped with B
  graph.lengths.edit()[a].work = graph.lengths.edit()[b].work = 80'000;
  const Replayed times = replay(graph);
  // Of its 80 us of work, each copy does 50 us alone and 30 us beside the other copy. At 0.92
  // of the speed, these 30 us of work take 32.609 us.
  REQUIRE(times.tasks[a].end == 60'000 + 32'609);
  REQUIRE(times.tasks[b].end == 60'000 + 82'609);
}

TEST_CASE("two devices copy without slowing each other down") {
  const Program program(R"(
    thread 1                      ab.......
    stream 1                      .AAAAAAAA
    stream 12 context 2 device 1  ..BBBBBBB
    A = h2d
    B = d2h
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(replayed(program, graph) == recorded(program, graph));
  REQUIRE(graph.lengths[test::task_of(program, graph, "A")].work == 80'000);
}

TEST_CASE("tasks that wait for each other are told, and stay where they were recorded") {
  const Program program(R"(
    thread 1  ab......
    stream 1  .AAABBBB
  )");
  Graph graph = graph_of(program.trace);
  graph.edges.edit().insert(graph.edges.edit().begin(), {1, Cause::event_wait, false, false});
  for (std::size_t t = 1; t < graph.edge_begin.size(); ++t) ++graph.edge_begin.edit()[t];
  REQUIRE(replay(graph).stuck == 2);
  REQUIRE(replayed(program, graph) == Lines{"A 1 to 4", "B 4 to 8"});
}

// B became ready after C had taken the room. With its usual latency, B would have been first.
TEST_CASE("a kernel that got no room in the recording gets none in the replay") {
  const Program program(R"(
    thread 1  arwcb.......................................
    stream 1  ......AAAA..CCCCCCCCCCCCCCCCCCCCCCCCCCCCCC..
    stream 2  ..........................................BB
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
    B = fills 10
    C = fills 100
  )",
                        1'000);
  const Graph graph = graph_of(program.trace);
  REQUIRE(replayed(program, graph) == recorded(program, graph));
}

// At first, A has room for all of its blocks. B takes some of this room, and A gets it back when B
// ends.
TEST_CASE("a kernel of higher priority gets its room from one that has just started") {
  const Program program(R"(
    thread 1              ab............
    stream 1              .AAAAAAAAA....
    stream 2 priority -1  ..BBB.........
    A = fills 100
    B = fills 10
  )",
                        1'000);
  const Graph graph = graph_of(program.trace);
  REQUIRE(replayed(program, graph) == recorded(program, graph));
}

TEST_CASE("a kernel that was kept out is kept out in the replay") {
  const Program program(R"(
    thread 1  arwcb.........
    stream 1  .AAAACCCCCC...
    stream 2  ...........BBB
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
    B = fills 10
    C = fills 50
  )");
  const Graph graph = graph_of(program.trace);
  REQUIRE(replayed(program, graph) == recorded(program, graph));
}

}  // namespace
}  // namespace lapscope::analyzer
