#include "analyzer/model/trace.h"
#include "collector/schema/tables.h"
#include "readers/read_trace.h"
#include "tests/analyzer/support/export_file.h"
#include "tests/catch.h"
#include "tests/readers/read_written.h"

namespace lapscope::analyzer {
namespace {

using test::read_written;
using Lines = std::vector<std::string>;

// Returns the frames of a call's stack, such as "process_tile (app) src/a.cu:120".
Lines stack_of(const Trace& trace, std::uint32_t call) {
  const std::uint32_t chain = trace.stacks.of_call(call);
  if (chain == CallStacks::none) return {"none"};
  Lines lines;
  for (const Frame& frame : trace.stacks.chain(chain)) {
    std::string line =
        trace.names.text(frame.function) + " (" + trace.names.text(frame.module) + ")";
    if (frame.file != 0) line += " " + trace.names.text(frame.file);
    if (frame.line != 0) line += ":" + std::to_string(frame.line);
    if (frame.is_inlined) line += " inlined";
    lines.push_back(line);
  }
  return lines;
}

schema::ApiCallRow call_row(trace::TraceWriter& writer, std::int64_t start,
                            std::optional<std::int64_t> chain) {
  schema::ApiCallRow row;
  row.start = start;
  row.end = start + 10;
  row.globalTid = 1;
  row.correlationId = start;
  row.nameId = writer.intern("cudaDeviceSynchronize_v3020");
  row.callchainId = chain;
  return row;
}

schema::CallchainRow frame_row(trace::TraceWriter& writer, std::int64_t chain, std::int64_t depth,
                               const std::string& function, const std::string& module) {
  schema::CallchainRow row;
  row.id = chain;
  row.stackDepth = depth;
  row.symbol = writer.intern(function);
  row.module = writer.intern(module);
  return row;
}

TEST_CASE("a call has the stack that the trace has of it, innermost frame first") {
  const Trace trace = read_written([](trace::TraceWriter& writer) {
    writer.insert(test::kernel(1000, 2000));
    writer.insert(call_row(writer, 10, 5));
    writer.insert(call_row(writer, 30, std::nullopt));
    writer.insert(call_row(writer, 50, 99));  // chain 99 does not exist
    // The rows of a stack may be in any order.
    schema::CallchainRow caller = frame_row(writer, 5, 2, "main", "app");
    caller.sourceFile = writer.intern("src/a.cu");
    caller.sourceLine = 120;
    writer.insert(caller);
    schema::CallchainRow inner = frame_row(writer, 5, 1, "wait()", "app");
    inner.isInlined = 1;
    inner.sourceLine = -4;
    writer.insert(inner);
    writer.insert(frame_row(writer, 5, 0, "[unknown]", "libcudart.so.13"));
  });
  CHECK(stack_of(trace, 0) ==
        Lines{" (libcudart.so.13)", "wait() (app) inlined", "main (app) src/a.cu:120"});
  // All known stacks of this function are equal, so its other calls get this stack.
  CHECK(stack_of(trace, 1) == stack_of(trace, 0));
  CHECK(stack_of(trace, 2) == stack_of(trace, 0));
}

TEST_CASE("what a call's stack took is told of that call alone, and what cannot be is none") {
  const Trace trace = read_written([](trace::TraceWriter& writer) {
    writer.insert(test::kernel(1000, 2000));
    for (const std::int64_t ns : {3'200, -64}) {
      schema::ApiCallRow row = call_row(writer, ns > 0 ? 10 : 30, 5);
      row.stackNs = ns;
      writer.insert(row);
    }
    writer.insert(call_row(writer, 50, std::nullopt));
    writer.insert(frame_row(writer, 5, 0, "main", "app"));
  });
  CHECK(trace.stacks.capture_ns(0) == 3'200);
  CHECK(trace.stacks.capture_ns(1) == 0);
  CHECK(trace.stacks.capture_ns(2) == 0);
}

TEST_CASE("a stack of a driver's call is that of the call of the runtime around it") {
  const Trace trace = read_written([](trace::TraceWriter& writer) {
    writer.insert(test::kernel(1000, 2000));
    schema::ApiCallRow outer = call_row(writer, 10, std::nullopt);
    outer.end = 100;
    writer.insert(outer);
    schema::ApiCallRow inner = call_row(writer, 20, 1);
    inner.nameId = writer.intern("cuCtxSynchronize");
    writer.insert(inner);
    writer.insert(frame_row(writer, 1, 0, "main", "app"));
  });
  CHECK(stack_of(trace, 0) == Lines{"main (app)"});
}

schema::GraphNodeRow node_row(std::int64_t time, std::int64_t node,
                              std::optional<std::int64_t> original = std::nullopt) {
  schema::GraphNodeRow row;
  row.start = time;
  row.globalTid = 1;
  row.graphNodeId = node;
  row.originalGraphNodeId = original;
  return row;
}

// The first call makes node 7. The second call copies node 7 to node 70, and node 70 to node 700.
TEST_CASE("a copied node of a graph has the stack of the call that made the original node") {
  const Trace trace = read_written([](trace::TraceWriter& writer) {
    writer.insert(test::kernel(1000, 2000));
    writer.insert(call_row(writer, 10, 1));
    schema::ApiCallRow instantiate = call_row(writer, 30, 2);
    instantiate.nameId = writer.intern("cudaGraphInstantiate_v12000");
    writer.insert(instantiate);
    writer.insert(frame_row(writer, 1, 0, "capture", "app"));
    writer.insert(frame_row(writer, 2, 0, "prepare", "app"));
    writer.insert(node_row(15, 7));
    writer.insert(node_row(31, 70, 7));
    writer.insert(node_row(32, 700, 70));
    writer.insert(node_row(25, 8));       // between two calls
    writer.insert(node_row(33, 90, 9));   // a copy of a node that is not in the trace
    writer.insert(node_row(34, 91, 92));  // copies of each other
    writer.insert(node_row(35, 92, 91));
  });
  for (const std::uint64_t node : {7U, 70U, 700U}) {
    CHECK(trace.stacks.of_node(node) == trace.stacks.of_call(0));
  }
  for (const std::uint64_t node : {8U, 90U, 91U, 92U, 93U}) {
    CHECK(trace.stacks.of_node(node) == CallStacks::none);
  }
}

TEST_CASE("exports of Nsight Systems have functions and modules") {
  const char* chains =
      "CREATE TABLE CUDA_CALLCHAINS (id INTEGER, symbol INTEGER, module INTEGER, kernelMode "
      "INTEGER,"
      " thumbCode INTEGER, unresolved INTEGER, specialEntry INTEGER, originalIP INTEGER,"
      " unresolvedIP INTEGER, stackDepth INTEGER);"
      "INSERT INTO StringIds VALUES (901, 'process_tile'), (902, '/home/me/app'), (903, 'main'),"
      " (904, '/usr/local/cuda/lib64/libcudart.so.12'), (905, '[unknown]');"
      "INSERT INTO CUDA_CALLCHAINS (id, symbol, module, unresolved, originalIP, stackDepth) VALUES"
      " (1, 905, 904, 1, 140, 0), (1, 901, 902, NULL, 141, 1), (1, 903, 902, NULL, 142, 2);"
      "ALTER TABLE CUPTI_ACTIVITY_KIND_RUNTIME ADD COLUMN callchainId INTEGER;";
  const Lines expected = {" (/usr/local/cuda/lib64/libcudart.so.12)", "process_tile (/home/me/app)",
                          "main (/home/me/app)"};
  for (const test::NsysRelease release : {test::NsysRelease::r2022, test::NsysRelease::r2026}) {
    for (const bool in_own_row : {false, true}) {
      const test::TemporaryFolder folder;
      const auto path = folder.path() / "app.sqlite";
      {
        test::ExportFile file(path, release);
        const std::int64_t wait = file.call("cudaDeviceSynchronize_v3020", 0, 50'000);
        const std::int64_t launch = file.call("cudaLaunchKernel_v7000", 60'000, 70'000);
        file.kernel("k", 80'000, 90'000, launch);
        file.sql(chains);
        const std::string id = std::to_string(wait);
        file.sql(in_own_row
                     ? "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, eventClass, globalTid,"
                       " correlationId, nameId, callchainId) SELECT start, end, 67, globalTid,"
                       " correlationId, nameId, 1 FROM CUPTI_ACTIVITY_KIND_RUNTIME"
                       " WHERE correlationId = " +
                           id
                     : "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET callchainId = 1"
                       " WHERE correlationId = " +
                           id);
      }
      const Trace trace = read_trace(path, nullptr);
      CHECK(stack_of(trace, 0) == expected);
      CHECK(stack_of(trace, 1) == Lines{"none"});
      CHECK(trace.stacks.own_frame(0) == 1);
    }
  }
}

TEST_CASE("stacks that were lost or cut short are a note") {
  const Trace trace = read_written([](trace::TraceWriter& writer) {
    writer.insert(test::kernel(1000, 2000));
    schema::StackCountsRow counts;
    counts.captured = 90;
    counts.lost = 7;
    counts.notUnwound = 3;
    counts.truncated = 20;
    counts.withoutPython = 4;
    writer.insert(counts);
  });
  std::vector<HealthRow> notes;
  for (const HealthRow& row : trace.health) {
    if (code_of(row) == "stacks-lost") notes.push_back(row);
  }
  REQUIRE(notes.size() == 1);
  CHECK(severity_of(notes[0]) == Severity::info);
  CHECK(notes[0].count == 34);
  // Counts: calls with a stack, calls whose stack had no room, unreadable stacks, stacks without
  // outermost frames, stacks without Python frames.
  CHECK(notes[0].details == Details{std::int64_t{90}, std::int64_t{7}, std::int64_t{3},
                                    std::int64_t{20}, std::int64_t{4}});
}

}  // namespace
}  // namespace lapscope::analyzer
