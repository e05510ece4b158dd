#include "collector/decode/kinds.h"

#include <search.h>

#include "collector/decode/kernel_names.h"
#include "tests/collector/support/synthetic_trace.h"

namespace lapscope::decode {
namespace {

using test::SyntheticTrace;

callbacks::StreamCall a_call() {
  callbacks::StreamCall call;
  call.correlation = 99;
  call.thread = 4712;
  call.context = 1;
  call.stream = 13;
  return call;
}

template <class... Events>
void decode(SyntheticTrace& trace, const Events&... told) {
  const std::vector<callbacks::Event> events{told...};
  trace.decoder().decode(events);
}

schema::RecordsRow counts(SyntheticTrace& trace, const std::string& name) {
  trace.decoder().write_counts();
  for (const auto& row : trace.rows<schema::RecordsRow>()) {
    if (row.name == name) return row;
  }
  FAIL("no counts of " << name);
  return {};
}

TEST_CASE("a host function is a row with its stream", "[decode]") {
  SyntheticTrace trace;
  // lfind is a function that AddressSanitizer does not replace.
  decode(trace, callbacks::HostFunction{a_call(), reinterpret_cast<const void*>(&::lfind)});
  const auto row = trace.row<schema::HostFuncRow>();
  CHECK(row.correlationId == 99);
  CHECK(row.globalTid == schema::global_tid(test::pid, 4712));
  CHECK(row.contextId == 1);
  CHECK(row.streamId == 13);
  CHECK_FALSE(row.graphNodeId.has_value());
  CHECK(trace.text(row.functionName) == "lfind");
}

// The node at 5 is kept, because the capture may launch the graph of this node.
//
//   capture    |------------|
//   nodes     5       15       25
TEST_CASE("nodes and edges of graphs that are made after the capture are not kept", "[decode]") {
  request::Capture capture;
  REQUIRE(capture.set_range("cudaProfilerApi"));
  SyntheticTrace trace(capture);
  const auto make = [&trace](std::int64_t time) {
    callbacks::GraphNode node;
    node.time = test::cupti_time(time);
    node.node = static_cast<std::uint64_t>(time);
    callbacks::GraphEdge edge;
    edge.time = node.time;
    edge.node = node.node;
    decode(trace, node, edge);
  };
  make(5);
  decode(trace, callbacks::ProfilerSwitch{test::cupti_time(10), true});
  make(15);
  decode(trace, callbacks::ProfilerSwitch{test::cupti_time(20), false});
  make(25);
  CHECK(trace.rows<schema::GraphNodeRow>().size() == 2);
  CHECK(trace.rows<schema::GraphEdgeRow>().size() == 2);
  CHECK(counts(trace, "GRAPH_NODES").outside == 2);  // edges are counted with the nodes
}

TEST_CASE("what is not known of a host function is NULL", "[decode]") {
  SyntheticTrace trace;
  callbacks::StreamCall call = a_call();
  call.context = 0;
  call.stream.reset();
  call.captured_node = 8'589'934'593;
  decode(trace, callbacks::HostFunction{call, nullptr});
  const auto row = trace.row<schema::HostFuncRow>();
  CHECK_FALSE(row.contextId.has_value());
  CHECK_FALSE(row.streamId.has_value());
  CHECK_FALSE(row.functionName.has_value());
  CHECK(row.graphNodeId == 8'589'934'593);
}

// The program does not export this function.
void internal_function() {}

TEST_CASE("a function without an exported name is found by library and offset", "[decode]") {
  const std::string name = function_name(reinterpret_cast<const void*>(&internal_function));
  CHECK(name.starts_with("collector_decode_test+0x"));
  CHECK(function_name(nullptr).empty());
  CHECK(function_name(reinterpret_cast<const void*>(1)).empty());
}

TEST_CASE("a launch with attributes is a row with those it has", "[decode]") {
  SyntheticTrace trace;
  callbacks::LaunchAttributes launch;
  launch.call = a_call();
  launch.programmatic_serialization = true;
  launch.priority = -3;
  decode(trace, launch);
  const auto row = trace.row<schema::LaunchAttributesRow>();
  CHECK(row.correlationId == 99);
  CHECK(row.globalTid == schema::global_tid(test::pid, 4712));
  CHECK(row.streamId == 13);
  CHECK(row.programmaticSerialization == 1);
  CHECK_FALSE(row.programmaticEvent.has_value());
  CHECK_FALSE(row.launchCompletionEvent.has_value());
  CHECK(row.priority == -3);
  CHECK(counts(trace, "LAUNCH_ATTRIBUTES").received == 1);
}

TEST_CASE("a graph launch is a row with its stream and graph", "[decode]") {
  SyntheticTrace trace;
  decode(trace, callbacks::GraphLaunch{a_call(), 3});
  const auto row = trace.row<schema::GraphLaunchRow>();
  CHECK(row.correlationId == 99);
  CHECK(row.streamId == 13);
  CHECK(row.graphId == 3);
}

TEST_CASE("stream memory operations are rows with their word or their number", "[decode]") {
  using Operation = callbacks::StreamMemoryOp::Operation;
  SyntheticTrace trace;
  decode(trace, callbacks::StreamMemoryOp{a_call(), Operation::wait, 0x7f0000000010},
         callbacks::StreamMemoryOp{a_call(), Operation::write, 0x7f0000000010},
         callbacks::StreamMemoryOp{a_call(), Operation::batch, 4});
  const auto rows = trace.rows<schema::StreamMemoryOpRow>();
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].operation == 0);
  CHECK(rows[0].streamId == 13);
  CHECK(rows[0].address == 0x7f0000000010);
  CHECK_FALSE(rows[0].operations.has_value());
  CHECK(rows[1].operation == 1);
  CHECK(rows[2].operation == 2);
  CHECK(rows[2].operations == 4);
  CHECK_FALSE(rows[2].address.has_value());
}

TEST_CASE("nodes of graphs and what they depend on are rows", "[decode]") {
  SyntheticTrace trace;
  callbacks::GraphNode node;
  node.time = test::cupti_time(70);
  node.thread = 4712;
  node.graph = 2;
  node.node = 0x2'0000'0001;
  node.original = 0x1'0000'0001;
  node.type = 3;
  callbacks::GraphEdge edge;
  edge.time = test::cupti_time(80);
  edge.graph = 2;
  edge.node = 0x2'0000'0001;
  edge.dependency = 0x2'0000'0000;
  decode(trace, node, edge);
  const auto node_row = trace.row<schema::GraphNodeRow>();
  CHECK(node_row.start == 70);
  CHECK(node_row.globalTid == schema::global_tid(test::pid, 4712));
  CHECK(node_row.graphId == 2);
  CHECK(node_row.graphNodeId == 0x2'0000'0001);
  CHECK(node_row.originalGraphNodeId == 0x1'0000'0001);
  CHECK(node_row.nodeType == 3);
  const auto edge_row = trace.row<schema::GraphEdgeRow>();
  CHECK(edge_row.start == 80);
  CHECK(edge_row.graphId == 2);
  CHECK(edge_row.graphNodeId == 0x2'0000'0001);
  CHECK(edge_row.dependencyNodeId == 0x2'0000'0000);
  CHECK_FALSE(edge_row.removed.has_value());
}

TEST_CASE("a clone is one row, with the type that its making told", "[decode]") {
  SyntheticTrace trace;
  callbacks::GraphNode made;
  made.thread = 4712;
  made.graph = 2;
  made.node = 0x2'0000'0001;
  made.type = 3;
  callbacks::GraphNode elsewhere = made;  // another thread adds it in between
  elsewhere.thread = 4713;
  elsewhere.node = 0x5'0000'0000;
  callbacks::GraphNode cloned = made;
  cloned.type = 0;
  cloned.original = 0x1'0000'0001;
  decode(trace, made, elsewhere, cloned);
  const auto rows = trace.rows<schema::GraphNodeRow>();
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].graphNodeId == 0x5'0000'0000);
  CHECK(rows[1].graphNodeId == 0x2'0000'0001);
  CHECK(rows[1].originalGraphNodeId == 0x1'0000'0001);
  CHECK(rows[1].nodeType == 3);
}

TEST_CASE("a dependency that was taken away says so", "[decode]") {
  SyntheticTrace trace;
  callbacks::GraphEdge edge;
  edge.time = test::cupti_time(80);
  edge.removed = true;
  decode(trace, edge);
  CHECK(trace.row<schema::GraphEdgeRow>().removed == 1);
}

TEST_CASE("a kind that was enabled late has the answer that it got then", "[decode]") {
  SyntheticTrace trace;
  trace.decoder().set_enable_result(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER, CUPTI_SUCCESS);
  decode(trace, callbacks::EnabledKind{CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER,
                                       CUPTI_ERROR_NOT_COMPATIBLE});
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER).enableResult ==
        CUPTI_ERROR_NOT_COMPATIBLE);
}

TEST_CASE("a reading of a thread's time is a row", "[decode]") {
  SyntheticTrace trace;
  decode(trace, callbacks::CpuTime{test::cupti_time(40), 12, 3'000});
  const auto row = trace.row<schema::CpuTimeRow>();
  CHECK(row.start == 40);
  CHECK(row.globalTid == schema::global_tid(test::pid, 12));
  CHECK(row.onCpuNs == 3'000);
  CHECK(counts(trace, "CPU_TIMES").received == 1);
}

TEST_CASE("collections of garbage are rows, of the kept times where there are some", "[decode]") {
  SyntheticTrace trace;
  callbacks::Collections seen{test::cupti_time(40), test::cupti_time(60), 0, 0, 7, 1};
  SECTION("counted") {
    decode(trace, seen);
    const auto row = trace.row<schema::CollectionsRow>();
    CHECK(row.afterLook == 40);
    CHECK(row.byLook == 60);
    CHECK(row.generation == 1);
    CHECK(row.collections == 7);
    CHECK_FALSE(row.start);
    CHECK_FALSE(row.end);
  }
  SECTION("with its times") {
    seen.count = 1;
    seen.begin = test::cupti_time(50);
    seen.end = test::cupti_time(55);
    decode(trace, seen);
    const auto row = trace.row<schema::CollectionsRow>();
    CHECK(row.start == 50);
    CHECK(row.end == 55);
  }
}

TEST_CASE("what callbacks tell is counted beside the kinds of records", "[decode]") {
  SyntheticTrace trace;
  trace.decoder().set_enable_result(callbacks::Source::graph_launches,
                                    CUPTI_ERROR_INVALID_PARAMETER);
  trace.decoder().set_enable_result(callbacks::Source::host_functions, CUPTI_SUCCESS);
  decode(trace, callbacks::HostFunction{a_call(), nullptr},
         callbacks::HostFunction{a_call(), nullptr}, callbacks::GraphNode{},
         callbacks::GraphEdge{});
  CHECK(counts(trace, "HOST_FUNCS").received == 2);
  CHECK(counts(trace, "HOST_FUNCS").enableResult == 0);
  CHECK(counts(trace, "HOST_FUNCS").kind < 0);
  CHECK(counts(trace, "GRAPH_NODES").received == 2);
  CHECK(counts(trace, "GRAPH_LAUNCHES").received == 0);
  CHECK(counts(trace, "GRAPH_LAUNCHES").enableResult == 1);
}

}  // namespace
}  // namespace lapscope::decode
