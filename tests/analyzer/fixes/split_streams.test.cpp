#include <string>
#include <utility>
#include <vector>

#include "analyzer/fixes/fix.h"
#include "tests/analyzer/fixes/fixed.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::edges_to;
using test::fixed;
using test::graph_of;
using test::Lines;
using test::Program;
using test::replayed;
using test::replayed_wall;
using test::wait_of;
using test::where_shown;

// A chain begins with a copy to the device. Two chains side by side look like this:
//
//   to device  AAADDD
//   compute       BBBEEE
//   to host          CCCFFF
constexpr const char* two_chains = R"(
    thread 1  abcdef.............
    stream 1  .AAABBBCCCDDDEEEFFF
    AD = h2d
    CF = d2h
)";

TEST_CASE("a stream that becomes two runs its second chain beside the first") {
  const Program program(two_chains);
  REQUIRE(replayed_wall(program, graph_of(program.trace)) == "18");
  const Graph graph = fixed(program, "stream-order:2");
  REQUIRE(replayed(program, graph) ==
          Lines{"A 1 to 4", "B 4 to 7", "C 7 to 10", "D 4 to 7", "E 7 to 10", "F 10 to 13"});
  REQUIRE(replayed_wall(program, graph) == "12");
}

TEST_CASE("a stream that stays one stays as it is") {
  const Program program(two_chains);
  REQUIRE(replayed_wall(program, fixed(program, "stream-order:1")) == "18");
}

//   stream 1   AAABBB......CCCDDD     the third chain follows the first in its stream
//   stream 2   ...EEEFFF
TEST_CASE("streams take turns: with two of them the third chain waits for the first") {
  const Program program(R"(
    thread 1  abefcd.............
    stream 1  .AAABBBEEEFFFCCCDDD
    AEC = h2d
  )");
  const Graph graph = fixed(program, "stream-order:2");
  REQUIRE(edges_to(program, graph, "E").empty());
  REQUIRE(edges_to(program, graph, "C") == Lines{"B stream-order"});
  REQUIRE(edges_to(program, graph, "D") == Lines{"C stream-order"});
}

TEST_CASE("copies that follow each other bring in what one chain needs") {
  const Program program(R"(
    thread 1  abcdef.............
    stream 1  .AAABBBCCCDDDEEEFFF
    ABDE = h2d
  )");
  const Graph graph = fixed(program, "stream-order:2");
  REQUIRE(edges_to(program, graph, "B") == Lines{"A stream-order"});
  REQUIRE(edges_to(program, graph, "D").empty());
  REQUIRE(edges_to(program, graph, "E") == Lines{"D stream-order"});
}

TEST_CASE("what two threads put into one stream becomes two streams") {
  const Program program(R"(
    thread 1  a.......
    thread 2  .b......
    stream 1  .AAABBBB
  )");
  REQUIRE(replayed(program, fixed(program, "stream-order")) == Lines{"A 1 to 4", "B 2 to 6"});
}

// Draws eight turns. Each pair is the name of a line and the picture of one turn.
std::string eight_turns(const std::vector<std::pair<std::string, std::string>>& lines) {
  std::string drawn;
  for (const auto& [name, part] : lines) {
    drawn += name + ' ';
    for (int turn = 0; turn < 8; ++turn) drawn += part;
    drawn += '\n';
  }
  return drawn + "stu = cudaStreamSynchronize, stream 1\n";
}

// The two threads take turns like a training loop and its backward pass. Their kernels stay in
// order, unless both threads launch the same kernel.
TEST_CASE("ops of two threads that take turns stay in order") {
  const std::string drawn = eight_turns(
      {{"thread 1", "asss......"}, {"thread 2", ".....bttt."}, {"stream 1", ".AA...BB.."}});
  const auto edges_to_second = [&drawn](const std::string& said) {
    const Program program(drawn + said);
    return edges_to(program, fixed(program, "stream-order"), "B");
  };
  CHECK(edges_to_second("A = named forward\nB = named backward") == Lines{"A stream-order"});
  CHECK(edges_to_second("AB = named step").empty());
}

// Thread 3 takes turns with each of the other two threads, which do not take turns with each other.
TEST_CASE("a thread that waits for two others does not make them one") {
  const Program program(eight_turns({{"thread 1", "assss....."},
                                     {"thread 2", "btttt....."},
                                     {"thread 3", "......uuu."},
                                     {"stream 1", ".AABB....."}}) +
                        "AB = named step");
  CHECK(edges_to(program, fixed(program, "stream-order"), "B").empty());
}

TEST_CASE("communication gets a stream of its own, and waits for what was computed before it") {
  const Program program(R"(
    thread 1  anbm..........
    stream 1  .AAANNNBBBMMM.
    N = named ncclDevKernel_AllReduce
    M = named ncclDevKernel_AllReduce
  )");
  const Graph graph = fixed(program, "stream-order");
  REQUIRE(edges_to(program, graph, "N") == Lines{"A event-wait"});
  REQUIRE(edges_to(program, graph, "B") == Lines{"A stream-order"});
  REQUIRE(edges_to(program, graph, "M") == Lines{"B event-wait", "N stream-order"});
}

TEST_CASE("graph launches stay in their stream's order") {
  const Program program(R"(
    thread 1  ag........
    stream 1  .AAABBCCC.
    A = h2d
    BC = by g
  )");
  const Graph graph = fixed(program, "stream-order");
  REQUIRE(edges_to(program, graph, "B") == Lines{"A stream-order"});
}

// Twice: a copy in, a graph with two branches, and a copy out. In the first graph, the branch D
// ends after the branch C.
constexpr const char* graphs_between_copies = R"(
    thread 1  agbchd.................
    stream 1  .AAACC..BBBEEEGG..HHH..
    stream 9  ....DDDD......FFFF.....
    A = h2d
    CD = by g
    B = d2h
    E = h2d, by c
    GF = by h
    H = d2h, by d
)";

// g and h may launch the same executable graph, so F must wait for D.
TEST_CASE("a graph launch is part of a chain, and the chain's next op waits for the whole launch") {
  const Program program(graphs_between_copies);
  const Graph graph = fixed(program, "stream-order:2");
  REQUIRE(edges_to(program, graph, "C") == Lines{"A stream-order"});
  REQUIRE(edges_to(program, graph, "D") == Lines{"A stream-order"});
  REQUIRE(edges_to(program, graph, "B") == Lines{"D stream-order"});
  REQUIRE(edges_to(program, graph, "E").empty());
  REQUIRE(edges_to(program, graph, "F") == Lines{"E stream-order", "D stream-order"});
  REQUIRE(edges_to(program, graph, "H") == Lines{"F stream-order"});
}

TEST_CASE("with one stream, the fix does not change a stream with graph launches") {
  const Program program(graphs_between_copies);
  REQUIRE(replayed(program, fixed(program, "stream-order:1")) ==
          replayed(program, graph_of(program.trace)));
}

TEST_CASE("graph launches that may use the same executable graph do not run side by side") {
  const Program program(R"(
    thread 1  gh......
    stream 1  .AABBCCD
    ABC = by g
    D = by h
  )");
  REQUIRE(edges_to(program, fixed(program, "stream-order"), "D") == Lines{"C stream-order"});
}

// In the recording, s waits only for D3, the last copy of its stream. If each chain gets a stream
// of its own, s waits for the copies of all three chains.
TEST_CASE("a wait for a stream becomes a wait for all chains of this stream") {
  const Program program(R"(
    thread 1  hkdhkdhkdsssssssssssssssssssss
    stream 1  .HHKKKKKKDDHHKKDDHHKKDD.......
    H = h2d
    D = d2h
    s = cudaStreamSynchronize, stream 1
  )");
  REQUIRE(wait_of(program, graph_of(program.trace), "s") == "host-sync D3");
  REQUIRE(wait_of(program, fixed(program, "stream-order:2"), "s") == "host-sync D2 D3");
  REQUIRE(wait_of(program, fixed(program, "stream-order"), "s") == "host-sync D D2 D3");
}

// In the cases below, the trace shows that ops are independent.

constexpr const char* steps = R"(
    thread 1  hkhkhk........
    stream 1  .HHKKHHKKHHKK.
    H = h2d, bytes 1000
)";

// There are two buffers. H3 overwrites the buffer that K reads, so H3 waits for K.
TEST_CASE("copies to the device run ahead of earlier kernels, and kernels stay in order") {
  const Program program(steps);
  const Graph graph = where_shown(program, "stream-order").value();
  REQUIRE(edges_to(program, graph, "H2").empty());
  REQUIRE(edges_to(program, graph, "K2") == Lines{"H2 stream-order", "K stream-order"});
  REQUIRE(edges_to(program, graph, "H3") == Lines{"K stream-order"});
}

constexpr const char* results = R"(
    thread 1  kdkdkdkd..........
    stream 1  .KKDDKKDDKKDDKKDD.
    D = d2h
)";

// There are two buffers. K3 overwrites the buffer that D reads, so K3 waits for D.
TEST_CASE("copies to the host do not delay the next kernel, and kernels stay in order") {
  const Program program(results);
  const Graph graph = where_shown(program, "stream-order").value();
  REQUIRE(edges_to(program, graph, "D") == Lines{"K stream-order"});
  REQUIRE(edges_to(program, graph, "K2") == Lines{"K stream-order"});
  REQUIRE(edges_to(program, graph, "D2") == Lines{"K2 stream-order", "D stream-order"});
  REQUIRE(edges_to(program, graph, "K3") == Lines{"K2 stream-order", "D stream-order"});
}

// D waits for H2, and K2 is behind D. So K2 waits for H2, and H3 waits for D by way of K2. The fix
// moves D to another stream, and keeps both waits.
TEST_CASE("events around moved copies delay the same ops as before") {
  const Program program(R"(
    thread 1  hrwkuvhrwdkuvhrwdkuvhrwdkuv.........
    stream 1  .....KK....DDKK....DDKK....DDKK.....
    stream 2  .HH.....HH......HH......HH..........
    H = h2d
    D = d2h
    r = cudaEventRecord, stream 2, event 1
    w = cudaStreamWaitEvent, stream 1, event 1
    u = cudaEventRecord, stream 1, event 2
    v = cudaStreamWaitEvent, stream 2, event 2
  )");
  const Graph before = graph_of(program.trace);
  REQUIRE(edges_to(program, before, "K3") == Lines{"D2 stream-order"});
  const Graph graph = where_shown(program, "stream-order").value();
  REQUIRE(edges_to(program, graph, "K3") ==
          Lines{"H3 event-wait", "K2 stream-order", "D stream-order"});
  REQUIRE(edges_to(program, graph, "H4") ==
          Lines{"H3 stream-order", "K3 event-wait", "D2 event-wait"});
}

// If the first node of a graph may overlap with a copy D, the second node may, too.
TEST_CASE("nodes of a graph do not wait for copies that the fix moves") {
  const Program program(R"(
    thread 1  gdhdidj..................
    stream 1  .ABDDEFDDLMDDPQ..........
    A = by g, named one
    B = by g, named two, after A
    E = by h, named one
    F = by h, named two, after E
    L = by i, named one
    M = by i, named two, after L
    P = by j, named one
    Q = by j, named two, after P
    D = d2h
  )");
  const Graph graph = where_shown(program, "stream-order").value();
  REQUIRE(edges_to(program, graph, "L") == Lines{"F stream-order", "D stream-order"});
  REQUIRE(edges_to(program, graph, "M") == Lines{"L graph-edge"});
}

// The fix moves the copies to another stream. As before, s waits for the kernels and the copies.
TEST_CASE("a wait for a stream also waits for the copies that the fix moves") {
  const Program program(R"(
    thread 1  kdkdkdkssssssssss.
    stream 1  .KKDDKKDDKKDDKKK..
    D = d2h
    s = cudaStreamSynchronize, stream 1
  )");
  const Graph graph = where_shown(program, "stream-order").value();
  REQUIRE(wait_of(program, graph, "s") == "host-sync D3 K4");
}

constexpr const char* tiles = R"(
    H = h2d, bytes 1000
    D = d2h, bytes 1000
)";

TEST_CASE("a stream is split between tiles, and nowhere else") {
  const Program program(std::string(R"(
    thread 1  ckhkdhkdhkd.................
    stream 1  .CCKKHHKKDDHHKKDDHHKKDD.....
    C = memset
  )") + tiles);
  const Graph graph = where_shown(program, "stream-order").value();
  REQUIRE(edges_to(program, graph, "H") == Lines{"K stream-order"});
  REQUIRE(edges_to(program, graph, "H2").empty());
  REQUIRE(edges_to(program, graph, "H3").empty());
}

// Each layer is followed by a collective. The next layer may need its result.
TEST_CASE("kernels stay behind collectives whose results they may need") {
  const Program program(R"(
    thread 1  anbmcl..............
    stream 1  .AAANNNBBBMMMCCCLLL.
    NML = named ncclDevKernel_AllReduce
  )");
  REQUIRE_FALSE(where_shown(program, "stream-order"));
}

// lapscope assumes that op B does not copy the data that op A copied.
TEST_CASE("two consecutive copies between two GPUs in opposite directions are independent") {
  const Program program(R"(
    thread 1                      abcd.............
    stream 1                      .AAA...CCC.......
    legacy 17 context 2 device 1  .................
    stream 18 context 2 device 1  ....BBB...DDD....
    AC = peer, to 1
    BD = peer, to 0
  )");
  const Graph graph = where_shown(program, "stream-order").value();
  REQUIRE(edges_to(program, graph, "B").empty());
}

// g, h and i launch different executable graphs. Only the graphs of g and h have equal nodes.
TEST_CASE("launches of two executable graphs with equal nodes do not need each other") {
  const Program program(R"(
    thread 1  ghi..............
    stream 1  .AABBBCCDDDEEFFF.
    A = by g, named one
    B = by g, named two, after A
    C = by h, named one
    D = by h, named two, after C
    E = by i, named one
    F = by i, named other, after E
  )");
  const Graph graph = where_shown(program, "stream-order").value();
  REQUIRE(edges_to(program, graph, "C").empty());
  REQUIRE(edges_to(program, graph, "D") == Lines{"C graph-edge"});
  REQUIRE(edges_to(program, graph, "E") == Lines{"D stream-order"});
  REQUIRE(edges_to(program, fixed(program, "stream-order"), "E").empty());
}

TEST_CASE("launches of one executable graph stay in their order") {
  const Program program(R"(
    thread 1  g.g.g............
    stream 1  ..AABB.AABB.AABB.
    A = by g, named one
    B = by g, named two, after A
  )");
  REQUIRE_FALSE(where_shown(program, "stream-order"));
  REQUIRE(edges_to(program, fixed(program, "stream-order"), "A2") == Lines{"B stream-order"});
}

// The kernels K are three products of one input, such as queries, keys and values. L needs all
// three.
constexpr const char* products = R"(
    thread 1  ck.k.k.l............
    stream 1  ..CCKKK.KKK.KKK.LL..
    CL = fills 100
    K = fills 25
)";

TEST_CASE(
    "kernels in a row whose dependences are unknown run side by side, unless the trace must show "
    "that they may") {
  const Program program(products);
  REQUIRE_FALSE(where_shown(program, "stream-order"));
  const Graph graph = fixed(program, "stream-order");
  REQUIRE(edges_to(program, graph, "K") == Lines{"C stream-order"});
  REQUIRE(edges_to(program, graph, "K2") == Lines{"C stream-order"});
  REQUIRE(edges_to(program, graph, "K3") == Lines{"C stream-order"});
  REQUIRE(edges_to(program, graph, "L") ==
          Lines{"K3 stream-order", "K stream-order", "K2 stream-order"});
}

TEST_CASE("with two streams the third kernel in turn waits for the first") {
  const Program program(products);
  const Graph graph = fixed(program, "stream-order:2");
  REQUIRE(edges_to(program, graph, "K3") == Lines{"C stream-order", "K stream-order"});
  REQUIRE(edges_to(program, graph, "L") == Lines{"K3 stream-order", "K2 stream-order"});
  REQUIRE(edges_to(program, fixed(program, "stream-order:1"), "K2") == Lines{"K stream-order"});
}

// An event wait delays all later ops of its stream. A record waits for all earlier ops of its
// stream.
TEST_CASE("events around chains delay all chains") {
  const Program program(R"(
    thread 1  xrwhkdhkdhkdsvl...........
    stream 1  ...HHKKDDHHKKDDHHKKDD.....
    stream 2  .XX..................LL...
    H = h2d, bytes 1000
    D = d2h, bytes 1000
    X = h2d
    r = cudaEventRecord, stream 2, event 1
    w = cudaStreamWaitEvent, stream 1, event 1
    s = cudaEventRecord, stream 1, event 2
    v = cudaStreamWaitEvent, stream 2, event 2
  )");
  const Graph graph = where_shown(program, "stream-order").value();
  REQUIRE(edges_to(program, graph, "H3") == Lines{"X event-wait"});
  REQUIRE(edges_to(program, graph, "L") ==
          Lines{"X stream-order", "D3 event-wait", "D event-wait", "D2 event-wait"});
}

}  // namespace
}  // namespace lapscope::analyzer
