#include "analyzer/fixes/tiles.h"

#include "analyzer/fixes/fix.h"
#include "tests/analyzer/fixes/fixed.h"
#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::edges_to;
using test::fixed;
using test::graph_of;
using test::Lines;
using test::Program;

// The ops that begin tiles which need nothing of the one before.
Lines alone(std::string_view drawing) {
  const Program program(drawing);
  const Graph graph = graph_of(program.trace);
  const Tiles tiles(program.trace);
  Lines lines;
  for (const Task& task : graph.tasks) {
    if (tiles.begins_alone(task)) lines.push_back(program.ops.at(task.device).at(task.op));
  }
  return lines;
}

// A program with a fix made where the trace shows that it may be; "" in front where it shows
// nothing.
struct Shown {
  Shown(const Program& program, const Fix& fix) : graph(graph_of(program.trace)) {
    const auto edits = fix.shown(program.trace, graph, Tiles(program.trace));
    is_any = edits.has_value();
    if (edits) graph = edited(*edits);
  }
  Graph graph;
  bool is_any = false;
};

constexpr const char* tiles = R"(
    H = h2d, bytes 1000
    D = d2h, bytes 1000
)";

std::string of_tiles(std::string_view drawing) { return std::string(drawing) + tiles; }

TEST_CASE("tiles that are issued ahead need nothing of each other") {
  REQUIRE(alone(of_tiles(R"(
    thread 1  hkdhkdhkd...........
    stream 1  .HHKKDDHHKKDDHHKKDD.
  )")) == Lines{"H2", "H3"});
}

// The host may have read what each tile made, and made the next one's input of it.
TEST_CASE("tiles that the host waits for may need each other") {
  constexpr const char* waits = R"(
    thread 1  hkdssss.hkdtttt.hkd.....
    stream 1  .HHKKDD..HHKKDD..HHKKDD.
    s = cudaDeviceSynchronize
    t = cudaDeviceSynchronize
  )";
  REQUIRE(alone(of_tiles(waits)).empty());
}

TEST_CASE("two are no pattern") {
  REQUIRE(alone(of_tiles(R"(
    thread 1  hkdhkd........
    stream 1  .HHKKDDHHKKDD.
  )"))
              .empty());
}

// A training step: the batch comes in, the loss goes out, the weights stay.
TEST_CASE("what copies little out may keep its results on the device") {
  REQUIRE(alone(R"(
    thread 1  hkdhkdhkd...........
    stream 1  .HHKKDDHHKKDDHHKKDD.
    H = h2d, bytes 1000
    D = d2h, bytes 99
  )")
              .empty());
  REQUIRE(alone(R"(
    thread 1  hkhkhk........
    stream 1  .HHKKHHKKHHKK.
    H = h2d
  )")
              .empty());
}

// The ops that bring in what the round ahead cannot have made.
Lines ahead(std::string_view drawing) {
  const Program program(drawing);
  const Graph graph = graph_of(program.trace);
  const Tiles tiles(program.trace);
  Lines lines;
  for (const Task& task : graph.tasks) {
    if (tiles.fetches_ahead(task)) lines.push_back(program.ops.at(task.device).at(task.op));
  }
  return lines;
}

constexpr const char* steps = R"(
    thread 1  hkhkhk........
    stream 1  .HHKKHHKKHHKK.
    H = h2d, bytes 1000
)";

TEST_CASE("copies in that are issued before the kernels ahead have ended need nothing of them") {
  REQUIRE(ahead(steps) == Lines{"H2", "H3"});
  REQUIRE(alone(steps).empty());
  REQUIRE(ahead(R"(
    thread 1  hkdhkdhkd...........
    stream 1  .HHKKDDHHKKDDHHKKDD.
    H = h2d, bytes 1000
    D = d2h, bytes 99
  )") == Lines{"H2", "H3"});
}

// Where tiles are independent, their copies in are no finding of their own.
TEST_CASE("tiles do not bring in more than they need") {
  REQUIRE(ahead(of_tiles(R"(
    thread 1  hkdhkdhkd...........
    stream 1  .HHKKDDHHKKDDHHKKDD.
  )"))
              .empty());
}

TEST_CASE("what the host waited for may be what it copies in next") {
  REQUIRE(ahead(R"(
    thread 1  hkssss.hktttt.hk....
    stream 1  .HHKK..HHKK..HHKK...
    H = h2d
    s = cudaDeviceSynchronize
    t = cudaDeviceSynchronize
  )")
              .empty());
}

TEST_CASE("two rounds are no pattern") {
  REQUIRE(ahead(R"(
    thread 1  hkhk......
    stream 1  .HHKKHHKK.
    H = h2d
  )")
              .empty());
}

TEST_CASE("copies in without kernels behind them are no rounds") {
  REQUIRE(ahead(R"(
    thread 1  hhhh......
    stream 1  .HHHHHHHH.
    H = h2d
  )")
              .empty());
}

// The kernels keep their order, and each waits for its copy. Of two buffers H3 needs the first.
TEST_CASE("only the copies in are taken out of the order") {
  const Program program(steps);
  const Shown shown(program, split_streams);
  REQUIRE(shown.is_any);
  REQUIRE(edges_to(program, shown.graph, "H2").empty());
  REQUIRE(edges_to(program, shown.graph, "K2") == Lines{"H2 stream-order", "K stream-order"});
  REQUIRE(edges_to(program, shown.graph, "H3") == Lines{"K stream-order"});
}

// The copies to the host of which the work behind them needs nothing.
Lines left(std::string_view drawing) {
  const Program program(drawing);
  const Graph graph = graph_of(program.trace);
  const Tiles tiles(program.trace);
  Lines lines;
  for (const Task& task : graph.tasks) {
    if (tiles.leaves_behind(task)) lines.push_back(program.ops.at(task.device).at(task.op));
  }
  return lines;
}

constexpr const char* results = R"(
    thread 1  kdkdkdkd..........
    stream 1  .KKDDKKDDKKDDKKDD.
    D = d2h
)";

// Nothing is behind the last one.
TEST_CASE("work that was issued before a copy to the host had ended needs nothing of it") {
  REQUIRE(left(results) == Lines{"D", "D2", "D3"});
}

TEST_CASE("what the host waited for it may have used for the next kernel") {
  REQUIRE(left(R"(
    thread 1  kdssss.kdtttt.kduuuu.kd....
    stream 1  .KKDD..KKDD..KKDD..KKDD....
    D = d2h
    s = cudaDeviceSynchronize
    t = cudaDeviceSynchronize
    u = cudaDeviceSynchronize
  )")
              .empty());
}

TEST_CASE("two copies to the host are no pattern") {
  REQUIRE(left(R"(
    thread 1  kdkdk.......
    stream 1  .KKDDKKDDKK.
    D = d2h
  )")
              .empty());
}

TEST_CASE("copies to the host with no kernel before them are no results") {
  REQUIRE(left(R"(
    thread 1  ddddk.......
    stream 1  .DDDDDDDDKK.
    D = d2h
  )")
              .empty());
}

// H may bring back what D took out.
TEST_CASE("a copy to the device may need the copy to the host before it") {
  REQUIRE(left(R"(
    thread 1  kdhkdhkdhk..............
    stream 1  .KKDHKKDHKKDHKK.........
    H = h2d, bytes 1000
    D = d2h, bytes 1000
  )")
              .empty());
}

TEST_CASE("tiles leave nothing else behind") {
  REQUIRE(left(of_tiles(R"(
    thread 1  hkdhkdhkd...........
    stream 1  .HHKKDDHHKKDDHHKKDD.
  )"))
              .empty());
}

// The kernels keep their order, and so do the copies. Of two buffers K3 writes the one of D.
TEST_CASE("only the copies out are taken out of the order") {
  const Program program(results);
  const Shown shown(program, split_streams);
  REQUIRE(shown.is_any);
  REQUIRE(edges_to(program, shown.graph, "D") == Lines{"K stream-order"});
  REQUIRE(edges_to(program, shown.graph, "K2") == Lines{"K stream-order"});
  REQUIRE(edges_to(program, shown.graph, "D2") == Lines{"K2 stream-order", "D stream-order"});
  REQUIRE(edges_to(program, shown.graph, "K3") == Lines{"K2 stream-order", "D stream-order"});
}

// K2 waited for H2 because D did; H3 waited for D because K2 did: both may use the buffer of D.
TEST_CASE("events around copies that are left behind hold up what they held up") {
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
  const Shown shown(program, split_streams);
  REQUIRE(shown.is_any);
  REQUIRE(edges_to(program, shown.graph, "K3") ==
          Lines{"H3 event-wait", "K2 stream-order", "D stream-order"});
  REQUIRE(edges_to(program, shown.graph, "H4") ==
          Lines{"H3 stream-order", "K3 event-wait", "D2 event-wait"});
}

// Both nodes run beside D, if the first one does.
TEST_CASE("nodes of a graph do not wait for copies that are left behind") {
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
  const Shown shown(program, split_streams);
  REQUIRE(shown.is_any);
  REQUIRE(edges_to(program, shown.graph, "L") == Lines{"F stream-order", "D stream-order"});
  REQUIRE(edges_to(program, shown.graph, "M") == Lines{"L graph-edge"});
}

// Who waits for the stream waits for the copies, too.
TEST_CASE("copies that are left behind are waited for with their stream") {
  const Program program(R"(
    thread 1  kdkdkdkssssssssss.
    stream 1  .KKDDKKDDKKDDKKK..
    D = d2h
    s = cudaStreamSynchronize, stream 1
  )");
  const Shown shown(program, split_streams);
  REQUIRE(shown.is_any);
  const Graph& graph = shown.graph;
  Lines waits;
  for (const Step& step : graph.steps) {
    for (std::uint32_t w = step.first_wait; w < step.first_wait + step.wait_count; ++w) {
      const Task& task = graph.tasks[graph.waits[w]];
      waits.push_back(program.ops.at(task.device).at(task.op));
    }
  }
  REQUIRE(waits == Lines{"D3", "K4"});
}

TEST_CASE("tiles of different shapes are no pattern") {
  REQUIRE(alone(of_tiles(R"(
    thread 1  hkdhlkdhlllkd...............
    stream 1  .HHKKDDHHLKKDDHHLLLKKDD.....
    K = named one
    L = named other
  )"))
              .empty());
}

// Stream 1 has one tile after the other, of which the host waits for each; streams 2 and 3 show
// that such tiles run beside each other.
TEST_CASE("tiles of a shape that was seen side by side need nothing of each other") {
  constexpr const char* both = R"(
    thread 1  hkdssss.hkdtttt.hkduuuu.hkdhkd.....
    stream 1  .HHKKDD..HHKKDD..HHKKDD............
    stream 2  .........................HHKKDD....
    stream 3  ............................HHKKDD.
    s = cudaDeviceSynchronize
    t = cudaDeviceSynchronize
    u = cudaDeviceSynchronize
  )";
  REQUIRE(alone(of_tiles(both)) == Lines{"H2", "H3"});
}

TEST_CASE("a stream is split between tiles, and nowhere else") {
  const Program program(of_tiles(R"(
    thread 1  ckhkdhkdhkd.................
    stream 1  .CCKKHHKKDDHHKKDDHHKKDD.....
    C = memset
  )"));
  const Shown shown(program, split_streams);
  REQUIRE(shown.is_any);
  REQUIRE(edges_to(program, shown.graph, "H") == Lines{"K stream-order"});
  REQUIRE(edges_to(program, shown.graph, "H2").empty());
  REQUIRE(edges_to(program, shown.graph, "H3").empty());
}

// Each layer is computed and then reduced over all GPUs; the next one may need that.
TEST_CASE("of collectives the trace does not show that nothing needs them") {
  const Program program(R"(
    thread 1  anbmcl..............
    stream 1  .AAANNNBBBMMMCCCLLL.
    NML = named ncclDevKernel_AllReduce
  )");
  REQUIRE_FALSE(Shown(program, split_streams).is_any);
}

// What a copy brought to the other GPU need not be sent back by the next one.
TEST_CASE("copies between two GPUs, there and back, do not need each other") {
  const Program program(R"(
    thread 1                      abcd.............
    stream 1                      .AAA...CCC.......
    legacy 17 context 2 device 1  .................
    stream 18 context 2 device 1  ....BBB...DDD....
    AC = peer, to 1
    BD = peer, to 0
  )");
  const Shown shown(program, split_streams);
  REQUIRE(shown.is_any);
  REQUIRE(edges_to(program, shown.graph, "B").empty());
}

//   stream 1  g: ABC   h: DEF   g   h      with a stream for each:  g g
//                                                                   h h
TEST_CASE("graphs of the same nodes do not need each other, and none runs beside itself") {
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
  const Shown shown(program, split_streams);
  REQUIRE(shown.is_any);
  REQUIRE(edges_to(program, shown.graph, "C").empty());
  REQUIRE(edges_to(program, shown.graph, "D") == Lines{"C graph-edge"});
  REQUIRE(edges_to(program, shown.graph, "E") == Lines{"D stream-order"});
  REQUIRE(edges_to(program, fixed(program, "stream-order"), "E").empty());
}

TEST_CASE("launches of one executable graph stay in their order") {
  const Program program(R"(
    thread 1  g.g.g............
    stream 1  ..AABB.AABB.AABB.
    A = by g, named one
    B = by g, named two, after A
  )");
  REQUIRE_FALSE(Shown(program, split_streams).is_any);
  REQUIRE(edges_to(program, fixed(program, "stream-order"), "A2") == Lines{"B stream-order"});
}

// All kernels of a graph that was captured from one stream follow each other: its author wrote so.
TEST_CASE("a graph is a chain, but for tiles in it") {
  const Program chain(R"(
    thread 1  g..............
    stream 1  .AAABBBBCCCCC..
    ABC = by g
  )");
  REQUIRE_FALSE(Shown(chain, fork_graphs).is_any);
  const Program program(R"(
    thread 1  g...................
    stream 1  .HHKKDDHHKKDDHHKKDD.
    H = h2d, bytes 1000, by g
    K = by g
    D = d2h, bytes 1000, by g
  )");
  const Shown shown(program, fork_graphs);
  REQUIRE(shown.is_any);
  REQUIRE(edges_to(program, shown.graph, "H2").empty());
  REQUIRE(edges_to(program, shown.graph, "K2") == Lines{"H2 graph-edge"});
}

// A wait for one of two kernels, which the third may need both of.
TEST_CASE("waits for events go where they join tiles in streams of their own") {
  const Program program(of_tiles(R"(
    thread 1  hkdrwhkdsvhkd.............
    stream 1  .HHKKDD...................
    stream 2  .......HHKKDD.............
    stream 3  .............HHKKDD.......
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
    s = cudaEventRecord, stream 2, event 2
    v = cudaStreamWaitEvent, stream 3, event 2
  )"));
  const Shown shown(program, drop_event_waits);
  REQUIRE(shown.is_any);
  REQUIRE(edges_to(program, shown.graph, "H2").empty());
  REQUIRE(edges_to(program, shown.graph, "H3").empty());
}

// B uses the buffer again that A is copied from.
TEST_CASE("a copy in may have to wait for a copy out, and a copy out for none") {
  constexpr const char* waits = R"(
    thread 1  arwb......
    stream 1  .AAAAAA...
    stream 2  .......BBB
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
  )";
  const auto is_shown = [&](std::string_view copies) {
    return Shown(Program(std::string(waits) + std::string(copies)), drop_event_waits).is_any;
  };
  REQUIRE_FALSE(is_shown("    A = d2h\n    B = h2d\n"));
  REQUIRE_FALSE(is_shown("    A = d2h\n"));
  REQUIRE(is_shown("    A = h2d\n    B = d2h\n"));
  REQUIRE(is_shown("    AB = h2d\n"));
  REQUIRE(is_shown("    AB = d2h\n"));
}

}  // namespace
}  // namespace lapscope::analyzer
