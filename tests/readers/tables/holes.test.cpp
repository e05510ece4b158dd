#include "readers/tables/holes.h"

#include <map>

#include "collector/schema/global_id.h"
#include "tests/catch.h"
#include "tests/readers/read_written.h"

namespace lapscope::analyzer {
namespace {

using test::read_written;
using trace::TraceWriter;
using Counts = std::map<std::string, std::int64_t>;  // count of health rows about lost ops, by code

Counts losses_with(const std::function<void(TraceWriter&)>& fill) {
  const Trace trace = read_written(fill);
  Counts counts;
  for (const HealthRow& row : trace.health) {
    const bool is_loss = code_of(row).starts_with("orphan-") || code_of(row) == "lost-records" ||
                         code_of(row) == "empty-copies" || code_of(row) == "unjoined-calls";
    if (!is_loss) continue;
    REQUIRE(severity_of(row) ==
            (code_of(row) == "empty-copies" ? Severity::info : Severity::error));
    counts[std::string(code_of(row))] = row.count;
  }
  return counts;
}

constexpr std::uint32_t program_pid = 7;

// Adds a call of 10 ns on thread 1.
void add_call(TraceWriter& trace, const char* function, std::int64_t start,
              std::int64_t correlation) {
  schema::ApiCallRow row;
  row.start = start;
  row.end = start + 10;
  row.globalTid = schema::global_tid(program_pid, 1);
  row.correlationId = correlation;
  row.nameId = trace.intern(function);
  trace.insert(row);
}

// Adds a kernel of 40 ns. If `node` is not 0, the kernel is this node of a graph.
void add_kernel(TraceWriter& trace, std::int64_t start, std::int64_t correlation,
                std::int64_t node = 0, std::int64_t stream = 7) {
  schema::KernelRow row = test::kernel(start, start + 40, stream);
  row.correlationId = correlation;
  row.globalPid = schema::global_pid(program_pid);
  if (node != 0) row.graphNodeId = node;
  trace.insert(row);
}

void add_copy(TraceWriter& trace, std::int64_t start, std::int64_t correlation) {
  schema::MemcpyRow row = test::memcpy(start, start + 40, 1);
  row.correlationId = correlation;
  row.globalPid = schema::global_pid(program_pid);
  trace.insert(row);
}

//   calls   [1]  [2]  [3]  [4]                 launches; the kernel of 3 is missing
//   GPU        [1  ][2  ]     [4  ]
void add_launches(TraceWriter& trace, const std::function<void(std::int64_t)>& also) {
  for (const std::int64_t n : {1, 2, 3, 4}) {
    add_call(trace, "cudaLaunchKernel_v7000", 100 * n, n);
    if (n != 3) add_kernel(trace, 100 * n + 50, n);
    also(n);
  }
}

TEST_CASE("a launch in the midst of a recording without its kernel is a hole", "[holes]") {
  CHECK(losses_with([](TraceWriter& trace) { add_launches(trace, [](std::int64_t) {}); }) ==
        Counts{{"orphan-launches", 1}});
}

//   calls   [1]    [2]                 launches
//   GPU        [a ]   [b ]             kernels with ids that no call has
TEST_CASE("a launch is no hole if a later kernel without a call may belong to it", "[holes]") {
  const auto losses_of = [](const std::vector<std::int64_t>& kernels, const char* function) {
    return losses_with([&](TraceWriter& trace) {
      for (const std::int64_t n : {1, 2}) add_call(trace, function, 100 * n, n);
      std::int64_t unknown = 900;
      for (const std::int64_t start : kernels) add_kernel(trace, start, ++unknown);
    });
  };
  const char* const launch = "cudaLaunchKernel_v7000";
  const Counts one_of_each{{"orphan-launches", 1}, {"unjoined-calls", 1}};
  CHECK(losses_of({150, 250}, launch) == Counts{{"unjoined-calls", 2}});
  CHECK(losses_of({250, 300}, launch) == Counts{{"unjoined-calls", 2}});
  CHECK(losses_of({250}, launch) == one_of_each);
  // The kernel at 50 ns started before both launches.
  CHECK(losses_of({50, 250}, launch) == one_of_each);
  // Both kernels started before the second launch, so they can only be of the first launch.
  CHECK(losses_of({150, 160}, launch) == one_of_each);
  CHECK(losses_of({150, 250}, "cudaMemcpyAsync_v3020") == Counts{{"orphan-copies", 2}});
}

TEST_CASE("an op of the driver's call inside a launch is the launch's", "[holes]") {
  CHECK(losses_with([](TraceWriter& trace) {
          add_call(trace, "cudaLaunchKernel_v7000", 100, 1);
          schema::ApiCallRow inner;
          inner.start = 102;
          inner.end = 108;
          inner.globalTid = schema::global_tid(program_pid, 1);
          inner.correlationId = 2;
          inner.nameId = trace.intern("cuLaunchKernel");
          trace.insert(inner);
          add_kernel(trace, 150, 2);
        }).empty());
}

TEST_CASE("what was launched into a capture is no hole, also where nobody told of nodes",
          "[holes]") {
  CHECK(losses_with([](TraceWriter& trace) {
          add_call(trace, "cudaStreamBeginCapture_v10000", 80, 11);
          add_call(trace, "cudaLaunchKernel_v7000", 100, 1);
          add_call(trace, "cudaMemcpyAsync_v3020", 120, 2);
          add_call(trace, "cudaStreamEndCapture_v10000", 140, 12);
          add_call(trace, "cudaLaunchKernel_v7000", 200, 3);
          add_kernel(trace, 250, 3);
        }).empty());
}

TEST_CASE("in a part of the run, an op is missing only if it must have run in this part",
          "[holes]") {
  const auto losses_of_part = [](std::int64_t launched, bool waits = false) {
    return losses_with([=](TraceWriter& trace) {
      trace.insert(schema::StretchRow{0, 2000, "cudaProfilerStart", "cudaProfilerStop"});
      add_call(trace, "cudaLaunchKernel_v7000", launched, 99);
      if (waits) add_call(trace, "cudaDeviceSynchronize_v3020", launched + 20, 98);
      for (std::int64_t n = 1; n <= 8; ++n) {
        add_call(trace, "cudaLaunchKernel_v7000", 100 * n + 50, n);
        add_kernel(trace, 100 * n + 130, n);
      }
    });
  };
  CHECK(losses_of_part(100).empty());  // its kernel may have run before the first recorded op
  CHECK(losses_of_part(400) == Counts{{"orphan-launches", 1}});
  CHECK(losses_of_part(870).empty());  // its kernel may start 80 ns later
  CHECK(losses_of_part(870, true) == Counts{{"orphan-launches", 1}});  // a wait ended after it
}

// The recording covers a part of the run:
//
//   calls     [0]  [1][2][3][4]       [9]      [10]
//   stream 7           [1 ][3 ]                   [10 ]
//   stream 8              [0  ]
//
// Calls 2 and 4 have no ops. Their ops may be in stream 8, behind all recorded ops. At call 9, both
// streams were idle.
TEST_CASE("ops that a stream may run after the last record are not missing", "[holes]") {
  const auto losses_of = [](bool is_idle_at_last) {
    return losses_with([=](TraceWriter& trace) {
      trace.insert(schema::StretchRow{0, 2000, "cudaProfilerStart", "cudaProfilerStop"});
      add_call(trace, "cudaLaunchKernel_v7000", 50, 20);
      add_kernel(trace, 200, 20, 0, 8);
      for (const std::int64_t n : {1, 2, 3, 4}) {
        add_call(trace, "cudaLaunchKernel_v7000", 100 + 12 * n, n);
        if (n % 2 == 1) add_kernel(trace, 110 + 40 * n, n);
      }
      if (!is_idle_at_last) return;
      add_call(trace, "cudaLaunchKernel_v7000", 400, 9);
      add_call(trace, "cudaLaunchKernel_v7000", 1500, 10);
      add_kernel(trace, 1600, 10);
    });
  };
  CHECK(losses_of(false).empty());
  CHECK(losses_of(true) == Counts{{"orphan-launches", 1}});
}

TEST_CASE("a copy without an op is a hole unless all that came is there", "[holes]") {
  const auto losses_of = [](std::int64_t with_op, std::int64_t without, bool is_counted) {
    return losses_with([=](TraceWriter& trace) {
      for (std::int64_t n = 1; n <= with_op + without; ++n) {
        add_call(trace, "cudaMemcpyAsync_v3020", 100 * n, n);
        if (n <= with_op) add_copy(trace, 100 * n + 50, n);
      }
      if (!is_counted) return;
      trace.insert(schema::RecordsRow{1, "MEMCPY", 0, 96, with_op, 0});
      trace.insert(schema::RecordsRow{2, "MEMSET", 0, 96, 0, 0});
    });
  };
  CHECK(losses_of(20, 0, true).empty());
  CHECK(losses_of(20, 1, true) == Counts{{"empty-copies", 1}});
  CHECK(losses_of(20, 10, true) == Counts{{"orphan-copies", 10}});
  CHECK(losses_of(20, 1, false) == Counts{{"orphan-copies", 1}});
}

TEST_CASE("records that were received and are not in the trace are lost", "[holes]") {
  CHECK(losses_with([](TraceWriter& trace) {
          trace.insert(schema::RecordsRow{10, "CONCURRENT_KERNEL", 0, 216, 3, 0});
          add_kernel(trace, 100, 1);
        }) == Counts{{"lost-records", 2}});
  CHECK(losses_with([](TraceWriter& trace) {
          trace.insert(schema::RecordsRow{36, "CUDA_EVENT", 0, 56, 4, 0});
          add_kernel(trace, 100, 1);
        }) == Counts{{"lost-records", 4}});
}

// Returns the losses in a trace with three launches of a graph of two kernels. `ran` has the
// recorded nodes of each launch.
Counts losses_of_graph(
    const std::vector<std::vector<std::int64_t>>& ran,
    const std::function<void(TraceWriter&)>& also = [](TraceWriter&) {}) {
  return losses_with([&](TraceWriter& trace) {
    add_call(trace, "cudaGraphInstantiate_v12000", 50, 90);
    std::int64_t correlation = 1;
    for (const auto& nodes : ran) {
      add_call(trace, "cudaGraphLaunch_v10000", 200 * correlation, correlation);
      for (const std::int64_t node : nodes) {
        add_kernel(trace, 200 * correlation + 50 * node, correlation, node);
      }
      ++correlation;
    }
    add_kernel(trace, 5000, 0);
    also(trace);
  });
}

TEST_CASE("a graph launch that lacks what others of its graph ran is a hole", "[holes]") {
  CHECK(losses_of_graph({{1, 2}, {1, 2}, {1, 2}}).empty());
  CHECK(losses_of_graph({{1, 2}, {2}, {1}}) == Counts{{"orphan-graphs", 2}});
  CHECK(losses_of_graph({{1, 2}, {}, {1, 2}}) == Counts{{"orphan-graphs", 1}});
  SECTION("but not where launches may differ") {
    for (const char* function : {"cudaGraphExecUpdate_v12000", "cudaGraphNodeSetEnabled_v11060",
                                 "cudaGraphConditionalHandleCreate_v12030"}) {
      CHECK(losses_of_graph({{1, 2}, {2}}, [function](TraceWriter& trace) {
              add_call(trace, function, 70, 91);
            }).empty());
    }
  }
  SECTION("nor where another graph was made between them") {
    CHECK(losses_of_graph({{1, 2}, {2}}, [](TraceWriter& trace) {
            add_call(trace, "cudaGraphInstantiate_v12000", 300, 91);
          }).empty());
  }
}

// Adds a node of an executable graph. Callbacks report it as a clone of a node of the graph.
void add_node(TraceWriter& trace, std::int64_t node, std::int64_t type) {
  schema::GraphNodeRow row;
  row.start = 55;
  row.globalTid = schema::global_tid(program_pid, 1);
  row.graphId = 5;
  row.graphNodeId = node;
  row.originalGraphNodeId = node + 100;
  row.nodeType = type;
  trace.insert(row);
}

void add_graph_launch(TraceWriter& trace, std::int64_t correlation) {
  schema::GraphLaunchRow row;
  row.correlationId = correlation;
  row.globalTid = schema::global_tid(program_pid, 1);
  row.graphId = 5;
  trace.insert(row);
}

TEST_CASE("a graph launch that lacks a node that its graph was made with is a hole", "[holes]") {
  constexpr std::int64_t kernel_node = 0;
  constexpr std::int64_t host_node = 3;
  const auto losses_of = [](std::int64_t second_node, const std::vector<std::int64_t>& ran) {
    return losses_of_graph({ran}, [second_node](TraceWriter& trace) {
      trace.insert(schema::RecordsRow{-4, "GRAPH_NODES", 0, std::nullopt, 2, 0});
      add_node(trace, 1, kernel_node);
      add_node(trace, 2, second_node);
      add_graph_launch(trace, 1);
    });
  };
  CHECK(losses_of(kernel_node, {1, 2}).empty());
  CHECK(losses_of(kernel_node, {1}) == Counts{{"orphan-graphs", 1}});
  CHECK(losses_of(host_node, {1}).empty());
  CHECK(losses_of(host_node, {}) == Counts{{"orphan-graphs", 1}});
}

TEST_CASE("a graph of host functions alone has no op to miss", "[holes]") {
  CHECK(losses_of_graph({{}}, [](TraceWriter& trace) {
          trace.insert(schema::RecordsRow{-4, "GRAPH_NODES", 0, std::nullopt, 1, 0});
          add_node(trace, 1, 3);
          add_graph_launch(trace, 1);
        }).empty());
}

}  // namespace
}  // namespace lapscope::analyzer
