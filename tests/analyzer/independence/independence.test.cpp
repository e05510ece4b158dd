#include "analyzer/independence/independence.h"

#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::graph_of;
using test::Lines;
using test::Program;

std::string words_of(Grounds grounds) {
  return grounds == Grounds::none ? "unknown" : std::string(rule_of(grounds).name);
}

// Returns the ops that are known to be independent of other ops in their stream, with the reason.
// In "H2 issued_ahead", H2 needs no op ahead in its stream. In "result_unread D", no op behind D in
// its stream needs D.
Lines known(std::string_view drawing) {
  const Program program(drawing);
  const Graph graph = graph_of(program.trace);
  const Independence independence(program.trace);
  Lines lines;
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    const std::string name = name_of(program, graph, t);
    const Grounds ahead = independence.of_all_ahead(graph.tasks[t]);
    const Grounds behind = independence.of_all_behind(graph.tasks[t]);
    if (ahead != Grounds::none) lines.push_back(name + ' ' + words_of(ahead));
    if (behind != Grounds::none) lines.push_back(words_of(behind) + ' ' + name);
  }
  return lines;
}

// Returns why `op` can start before `ahead` has ended, or "unknown".
std::string may_pass(std::string_view drawing, std::string_view ahead, std::string_view op) {
  const Program program(drawing);
  const Graph graph = graph_of(program.trace);
  return words_of(Independence(program.trace)
                      .of(graph.tasks[task_of(program, graph, ahead)],
                          graph.tasks[task_of(program, graph, op)]));
}

std::string of_tiles(std::string_view drawing) {
  return std::string(drawing) + "H = h2d, bytes 1000\nD = d2h, bytes 1000\n";
}
std::string of_steps(std::string_view drawing) {
  return std::string(drawing) + "H = h2d, bytes 1000\nD = d2h, bytes 99\n";
}

TEST_CASE("tiles that are issued ahead need nothing of each other") {
  const std::string tiles = of_tiles(R"(
    thread 1  hkdhkdhkd...........
    stream 1  .HHKKDDHHKKDDHHKKDD.
  )");
  REQUIRE(known(tiles) == Lines{"H2 issued_ahead", "H3 issued_ahead"});
  REQUIRE(may_pass(tiles, "D", "H2") == "issued_ahead");
  REQUIRE(may_pass(tiles, "H", "K") == "unknown");
}

// The host may make the input of a tile from the result of the previous one.
TEST_CASE("if the host waits for each tile, no tile is known to be independent") {
  REQUIRE(known(of_tiles(R"(
    thread 1  hkdssss.hkdtttt.hkd.....
    stream 1  .HHKKDD..HHKKDD..HHKKDD.
    s = cudaDeviceSynchronize
    t = cudaDeviceSynchronize
  )"))
              .empty());
}

TEST_CASE("two are no pattern") {
  REQUIRE(known(of_tiles(R"(
    thread 1  hkdhkd........
    stream 1  .HHKKDDHHKKDD.
  )"))
              .empty());
}

TEST_CASE("tiles that do different things are no pattern") {
  REQUIRE(known(of_tiles(R"(
    thread 1  hkdhlkdhlllkd...............
    stream 1  .HHKKDDHHLKKDDHHLLLKKDD.....
    K = named one
    L = named other
  )"))
              .empty());
}

TEST_CASE("a tile may go on with other work") {
  REQUIRE(known(of_tiles(R"(
    thread 1  hkdhkdhkdhkdlm.................
    stream 1  .HHKKDDHHKKDDHHKKDDHHKKDDLLMM..
    K = named one
    LM = named other
  )")) == Lines{"H2 issued_ahead", "H3 issued_ahead", "H4 issued_ahead", "result_unread D4"});
}

// In stream 1, the host waits for each tile. Streams 2 and 3 run two tiles at the same time.
TEST_CASE("if two tiles ran side by side, all tiles are independent") {
  const std::string both = of_tiles(R"(
    thread 1  hkdssss.hkdtttt.hkduuuu.hkdhkd.....
    stream 1  .HHKKDD..HHKKDD..HHKKDD............
    stream 2  .........................HHKKDD....
    stream 3  ............................HHKKDD.
    s = cudaDeviceSynchronize
    t = cudaDeviceSynchronize
    u = cudaDeviceSynchronize
  )");
  REQUIRE(known(both) == Lines{"H2 ran_side_by_side", "H3 ran_side_by_side"});
  REQUIRE(may_pass(both, "K4", "H5") == "ran_side_by_side");
}

// A training step copies a batch to the device and a loss to the host. The weights stay on the
// device. So a kernel may need the kernels of the previous step.
TEST_CASE("if steps copy little to the host, only their copies to the device are independent") {
  const std::string steps = of_steps(R"(
    thread 1  hkdhkdhkd...........
    stream 1  .HHKKDDHHKKDDHHKKDD.
  )");
  REQUIRE(known(steps) == Lines{"H2 data_on_host", "H3 data_on_host"});
  REQUIRE(may_pass(steps, "K", "K2") == "unknown");
  REQUIRE(known(of_steps(R"(
    thread 1  hkhkhk........
    stream 1  .HHKKHHKKHHKK.
  )")) == Lines{"H2 data_on_host", "H3 data_on_host"});
}

TEST_CASE("a copy to the device may need all ops that the host waited for") {
  REQUIRE(known(of_steps(R"(
    thread 1  hkssss.hktttt.hk....
    stream 1  .HHKK..HHKK..HHKK...
    s = cudaDeviceSynchronize
    t = cudaDeviceSynchronize
  )"))
              .empty());
}

TEST_CASE("copies to the device without kernels behind them, or only two rounds, show nothing") {
  REQUIRE(known(of_steps(R"(
    thread 1  hhhh......
    stream 1  .HHHHHHHH.
  )"))
              .empty());
  REQUIRE(known(of_steps(R"(
    thread 1  hkhk......
    stream 1  .HHKKHHKK.
  )"))
              .empty());
}

// Nothing is behind the last copy.
TEST_CASE("work that was issued before a copy to the host had ended needs nothing of it") {
  const std::string results = of_tiles(R"(
    thread 1  kdkdkdkd..........
    stream 1  .KKDDKKDDKKDDKKDD.
  )");
  REQUIRE(known(results) == Lines{"result_unread D", "result_unread D2", "result_unread D3"});
  REQUIRE(may_pass(results, "D", "K2") == "result_unread");
  REQUIRE(may_pass(results, "K", "D") == "unknown");
}

TEST_CASE("what the host waited for it may have used for the next kernel") {
  REQUIRE(known(of_tiles(R"(
    thread 1  kdssss.kdtttt.kduuuu.kd....
    stream 1  .KKDD..KKDD..KKDD..KKDD....
    s = cudaDeviceSynchronize
    t = cudaDeviceSynchronize
    u = cudaDeviceSynchronize
  )"))
              .empty());
}

TEST_CASE("two copies to the host, and those with no kernel before them, show nothing") {
  REQUIRE(known(of_tiles(R"(
    thread 1  kdkdk.......
    stream 1  .KKDDKKDDKK.
  )"))
              .empty());
  REQUIRE(known(of_tiles(R"(
    thread 1  ddddk.......
    stream 1  .DDDDDDDDKK.
  )"))
              .empty());
}

// H may copy back the data that D copied out.
TEST_CASE("a copy to the device may need the copy to the host before it") {
  REQUIRE(known(R"(
    thread 1  kdhkdhkdhk..............
    stream 1  .KKDHKKDHKKDHKK.........
    H = h2d, bytes 1000
    D = d2h, bytes 1000
  )") == Lines{});
}

// Copy B may send back other data than those that copy A brought.
TEST_CASE("copies between two GPUs, there and back, need nothing of each other") {
  constexpr const char* copies = R"(
    thread 1                      abcd.............
    stream 1                      .AAA...CCC.......
    stream 18 context 2 device 1  ....BBB...DDD....
    AC = peer, to 1
    BD = peer, to 0
  )";
  REQUIRE(may_pass(copies, "A", "B") == "there_and_back");
  REQUIRE(may_pass(copies, "A", "C") == "unknown");
}

TEST_CASE("two executables of the same nodes are made to run side by side") {
  const Trace nothing;
  const Independence independence(nothing);
  REQUIRE(independence.of(Launched{1, 7}, Launched{2, 7}) == Grounds::own_executable);
  REQUIRE(independence.of(Launched{1, 7}, Launched{1, 7}) == Grounds::none);
  REQUIRE(independence.of(Launched{1, 7}, Launched{2, 8}) == Grounds::none);
  REQUIRE(independence.of(Launched{0, 7}, Launched{2, 7}) == Grounds::none);
}

// If A copies to the host and B copies to the device, B may overwrite the buffer that A reads.
TEST_CASE(
    "copies are independent if they have one direction, or if only the second goes to the host") {
  const auto of = [](const char* copies) {
    return may_pass(std::string("thread 1  ab....\nstream 1  .AA...\nstream 2  ...BB.\n") + copies,
                    "A", "B");
  };
  REQUIRE(of("A = h2d\nB = d2h") == "separate_copies");
  REQUIRE(of("AB = h2d") == "separate_copies");
  REQUIRE(of("AB = d2h") == "separate_copies");
  REQUIRE(of("A = d2h\nB = h2d") == "unknown");
  REQUIRE(of("A = d2h") == "unknown");
  REQUIRE(of("B = d2h") == "unknown");
  REQUIRE(of("") == "unknown");
}

TEST_CASE("every grounds have a rule with a fact of CUDA") {
  for (const Grounds one :
       {Grounds::issued_ahead, Grounds::side_by_side, Grounds::data_on_host, Grounds::result_unread,
        Grounds::there_and_back, Grounds::own_executable, Grounds::separate_copies}) {
    CHECK(rule_of(one).fact != no_fact);
  }
}

TEST_CASE("the order of a kernel's launches that leave most of the multiprocessors free is open") {
  const auto is_open = [](const char* kernels) {
    const Program program(std::string("thread 1  ab.......\n"
                                      "stream 1  ..AA.BB..\n"
                                      "thread 2  ......c..\n"
                                      "stream 2  .......CC\n") +
                          kernels);
    const Graph graph = graph_of(program.trace);
    return OpenOrder(program.trace, graph)
        .is_open(graph.tasks[task_of(program, graph, "A")],
                 graph.tasks[task_of(program, graph, "B")]);
  };
  CHECK(is_open("AB = fills 25, named product"));
  CHECK(is_open("A = fills 25, named product\nB = fills 10, named product"));
  CHECK_FALSE(is_open("AB = fills 25"));
  CHECK_FALSE(is_open("AB = fills 50, named product"));
  CHECK_FALSE(is_open("A = fills 100, named product\nB = fills 25, named product"));
  CHECK_FALSE(is_open("AB = named product"));
  CHECK_FALSE(is_open("AB = fills 25, named ncclDevKernel_AllReduce"));
}

TEST_CASE("kernels of one stream are no candidates for overlap if kernels of two streams overlap") {
  const auto is_open = [](const std::string& other) {
    const Program program("thread 1  abc......\nstream 1  ..AA.BB..\nstream 2  " + other +
                          "\nABC = fills 25, named product");
    const Graph graph = graph_of(program.trace);
    return OpenOrder(program.trace, graph)
        .is_open(graph.tasks[task_of(program, graph, "A")],
                 graph.tasks[task_of(program, graph, "B")]);
  };
  CHECK(is_open("...CC...."));
  CHECK_FALSE(is_open("...CC....\nstream 1  .......DD\nthread 2  ......d..\nD = fills 25"));
}

}  // namespace
}  // namespace lapscope::analyzer
