#include "readers/tables/read_host.h"

#include "collector/schema/global_id.h"
#include "tests/catch.h"
#include "tests/readers/read_written.h"

namespace lapscope::analyzer {
namespace {

using test::read_written;
using trace::TraceWriter;

constexpr std::uint32_t pid = 100;

template <class Row>
Row stream_call(std::int64_t correlation, std::optional<std::int64_t> stream,
                std::optional<std::int64_t> captured_node = {}) {
  Row row;
  row.correlationId = correlation;
  row.globalTid = schema::global_tid(pid, 1);
  row.streamId = stream;
  row.graphNodeId = captured_node;
  return row;
}

schema::GraphNodeRow node(std::int64_t id) {
  schema::GraphNodeRow row;
  row.start = 5;
  row.globalTid = schema::global_tid(pid, 1);
  row.graphNodeId = id;
  return row;
}

schema::GraphEdgeRow edge(std::int64_t start, std::int64_t waits, std::int64_t on,
                          std::optional<std::int64_t> removed = {}) {
  schema::GraphEdgeRow row;
  row.start = start;
  row.graphNodeId = waits;
  row.dependencyNodeId = on;
  row.removed = removed;
  return row;
}

// Makes a trace with calls of 10 ns, whose ids are 1 to `calls`. `fill` adds rows.
Trace with(int calls, const std::function<void(TraceWriter&)>& fill) {
  return read_written([&](TraceWriter& trace) {
    for (int call = 1; call <= calls; ++call) {
      schema::ApiCallRow row;
      row.start = call * 20;
      row.end = row.start + 10;
      row.globalTid = schema::global_tid(pid, 1);
      row.correlationId = call;
      row.nameId = trace.intern("cudaLaunchHostFunc_v10000");
      trace.insert(row);
    }
    fill(trace);
    trace.commit();
  });
}

TEST_CASE("the streams of host functions and graph launches are joined with their calls") {
  const Trace trace = with(3, [](TraceWriter& writer) {
    writer.insert(stream_call<schema::GraphLaunchRow>(3, 14));
    writer.insert(stream_call<schema::HostFuncRow>(1, 13));
    writer.insert(stream_call<schema::HostFuncRow>(9, 13));  // a call that is not in the trace
  });
  REQUIRE(trace.call_streams.size() == 2);
  const CallStream* first = stream_of_call(trace, 0);
  REQUIRE(first);
  REQUIRE(first->stream == 13);
  REQUIRE_FALSE(first->is_captured);
  REQUIRE_FALSE(stream_of_call(trace, 1));
  REQUIRE(stream_of_call(trace, 2)->stream == 14);
}

TEST_CASE("a call of which the stream is not told, and one that was captured") {
  const Trace trace = with(2, [](TraceWriter& writer) {
    writer.insert(stream_call<schema::HostFuncRow>(1, {}));
    writer.insert(stream_call<schema::HostFuncRow>(2, 13, 77));
  });
  REQUIRE(stream_of_call(trace, 0)->stream == no_index);
  REQUIRE(stream_of_call(trace, 1)->is_captured);
}

TEST_CASE("of a call that two functions tell, what is told counts") {
  const Trace trace = with(1, [](TraceWriter& writer) {
    writer.insert(stream_call<schema::HostFuncRow>(1, {}));
    writer.insert(stream_call<schema::HostFuncRow>(1, 13));
  });
  REQUIRE(trace.call_streams.size() == 1);
  REQUIRE(stream_of_call(trace, 0)->stream == 13);
}

TEST_CASE("nodes of graphs come by id, and edges by node and time") {
  const Trace trace = with(1, [](TraceWriter& writer) {
    writer.insert(node(8));
    writer.insert(node(7));
    writer.insert(node(8));  // a clone is recorded twice
    writer.insert(edge(30, 8, 7, 1));
    writer.insert(edge(20, 8, 7));
  });
  REQUIRE(trace.topology.nodes == std::vector<std::uint64_t>{7, 8});
  REQUIRE(trace.topology.dependencies.size() == 2);
  REQUIRE(trace.topology.dependencies[0].time == 20);
  REQUIRE(trace.topology.dependencies[0].on == 7);
  REQUIRE_FALSE(trace.topology.dependencies[0].is_removed);
  REQUIRE(trace.topology.dependencies[1].is_removed);
}

// Call 1 instantiates a graph and clones its nodes as 7, 8 and 9. Meanwhile, CUDA replaces node 8
// by node 10.
TEST_CASE(
    "edges that CUDA removes during an instantiation stay, edges that a program removes do not") {
  const Trace trace = with(2, [](TraceWriter& writer) {
    for (const std::int64_t id : {7, 8, 9}) {
      schema::GraphNodeRow clone = node(id);
      clone.start = 21;
      clone.originalGraphNodeId = id - 5;
      writer.insert(clone);
    }
    schema::GraphNodeRow other = node(10);
    other.start = 24;
    writer.insert(other);
    writer.insert(edge(22, 8, 7));
    writer.insert(edge(22, 9, 8));
    writer.insert(edge(25, 10, 7));
    writer.insert(edge(25, 9, 10));
    writer.insert(edge(26, 9, 8, 1));
    writer.insert(edge(27, 8, 7, 1));
    writer.insert(edge(45, 9, 10, 1));
  });
  REQUIRE(dependencies(trace.topology, 8, 30) == std::vector<std::uint64_t>{7});
  REQUIRE(dependencies(trace.topology, 9, 30) == std::vector<std::uint64_t>{8, 10});
  REQUIRE(dependencies(trace.topology, 10, 30) == std::vector<std::uint64_t>{7});
  REQUIRE(dependencies(trace.topology, 9, 50) == std::vector<std::uint64_t>{8});
}

TEST_CASE("each op of a graph has its node, wherever its row stood") {
  const Trace trace = with(1, [](TraceWriter& writer) {
    schema::KernelRow late = test::kernel(300, 400);
    late.graphNodeId = 8;
    schema::KernelRow plain = test::kernel(200, 250);
    schema::KernelRow early = test::kernel(100, 200);
    early.graphNodeId = 7;
    writer.insert(late);
    writer.insert(plain);
    writer.insert(early);
  });
  REQUIRE(trace.devices.at(0).ops.nodes == std::vector<OpNode>{{0, 7}, {2, 8}});
}

TEST_CASE("a trace without these tables tells nothing of all that") {
  const Trace trace = read_written([](TraceWriter& writer) {
    writer.insert(test::kernel(100, 200));
    writer.commit();
    for (const char* table : {"LAPSCOPE_HOST_FUNCS", "LAPSCOPE_GRAPH_LAUNCHES",
                              "LAPSCOPE_GRAPH_NODES", "LAPSCOPE_GRAPH_EDGES"}) {
      writer.database().execute("DROP TABLE IF EXISTS " + std::string(table));
    }
  });
  REQUIRE(trace.call_streams.empty());
  REQUIRE(trace.topology.nodes.empty());
  REQUIRE(trace.topology.dependencies.empty());
}

}  // namespace
}  // namespace lapscope::analyzer
