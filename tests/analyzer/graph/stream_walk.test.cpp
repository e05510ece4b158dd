#include "analyzer/graph/stream_walk.h"

#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::edges_to;
using test::graph_of;
using test::held;
using test::Lines;
using test::Program;

TEST_CASE(
    "commands come in the order of their calls, and what a call issues before the call itself") {
  const Program program(R"(
    thread 1  ar.ws
    thread 2  ..b..
    stream 1  .AA..
    stream 2  ...BB
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 2, event 1
    s = cudaDeviceSynchronize
  )");
  const Graph graph = graph_of(program.trace);
  std::vector<std::int64_t> issued_at;
  for (const Task& task : graph.tasks) {
    issued_at.push_back(issues_at(graph, graph.times, task.step));
  }
  std::string order;
  for (const Command& command : commands_of(program.trace, graph, graph.times, issued_at)) {
    switch (command.kind) {
      case CommandKind::task:
        order += test::name_of(program, graph, command.index) + ' ';
        break;
      case CommandKind::wait_event:
        order += "wait ";
        break;
      case CommandKind::record_event:
        order += "record ";
        break;
      case CommandKind::step:
        order += program.calls[graph.steps[command.index].call] + ' ';
        break;
    }
  }
  REQUIRE(order == "A a record r B b wait w s ");
}

}  // namespace
}  // namespace lapscope::analyzer
