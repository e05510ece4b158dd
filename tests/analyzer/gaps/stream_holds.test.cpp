#include "analyzer/gaps/stream_holds.h"

#include "tests/analyzer/support/picture.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

// A process launches two kernels; the host function in between is of the process `pid`.
Trace with_host_function_of(std::uint32_t pid) {
  Trace trace;
  Calls& calls = trace.calls;
  const std::int64_t own = std::int64_t{1} << 24 | 5;
  calls.start = {0, 20, 10};
  calls.end = {5, 25, 15};
  calls.name = {0, 0, 0};
  calls.kind = {CallKind::launch, CallKind::launch, CallKind::host_function};
  calls.threads = {{own, 0, 2, 2}, {std::int64_t{pid} << 24 | 6, 2, 3, 3}};
  trace.devices.push_back(test::device_with(test::ops_in({"K AA..BB"})));
  for (Stream& stream : trace.devices[0].streams) stream.pid = 1;
  trace.devices[0].ops.issue = {0, 1};
  return trace;
}

TEST_CASE("a host function may hold a stream of its own process, and none of another's") {
  const Trace same = with_host_function_of(1);
  REQUIRE_FALSE(StreamHolds(same, same.devices[0]).waited_for_host_function(0));
  REQUIRE(StreamHolds(same, same.devices[0]).waited_for_host_function(1));
  const Trace other = with_host_function_of(2);
  REQUIRE_FALSE(StreamHolds(other, other.devices[0]).waited_for_host_function(1));
}

// A thread launches A and B into stream 1, and in between is in a call of which the trace has this
// record of stream `stream`.
//
//   0    5   10   15   20
//   A----    S----    B----    calls
//   AA..BB                     stream 1, whenever
Trace with_synchronization(SyncKind kind, std::uint32_t stream) {
  Trace trace;
  Calls& calls = trace.calls;
  calls.start = {0, 10, 20};
  calls.end = {5, 15, 25};
  calls.name = {0, 0, 0};
  calls.kind = {CallKind::launch, CallKind::other, CallKind::launch};
  calls.threads = {{std::int64_t{1} << 24 | 5, 0, 3, 3}};
  trace.devices.push_back(test::device_with(test::ops_in({"K AA..BB"})));
  for (Stream& known : trace.devices[0].streams) known.pid = 1;
  trace.devices[0].ops.issue = {0, 2};
  trace.synchronizations.push_back({.call = 1, .pid = 1, .kind = kind, .stream = stream});
  return trace;
}

TEST_CASE("only a wait for an event, of the op's own stream, holds the next op of that stream") {
  const Trace waits = with_synchronization(SyncKind::stream_wait_event, 1);
  REQUIRE_FALSE(StreamHolds(waits, waits.devices[0]).waited_for_event(0));
  REQUIRE(StreamHolds(waits, waits.devices[0]).waited_for_event(1));
  const Trace elsewhere = with_synchronization(SyncKind::stream_wait_event, 0);
  REQUIRE_FALSE(StreamHolds(elsewhere, elsewhere.devices[0]).waited_for_event(1));
  for (const SyncKind kind :
       {SyncKind::unknown, SyncKind::event, SyncKind::stream, SyncKind::context}) {
    const Trace of_host = with_synchronization(kind, 1);
    REQUIRE_FALSE(StreamHolds(of_host, of_host.devices[0]).waited_for_event(1));
  }
}

// A graph of two kernels (nodes 1 and 2) and a host function (3), with an empty node (4) perhaps.
Trace with_graph(std::vector<NodeDependency> dependencies) {
  Trace trace = with_host_function_of(2);
  trace.devices[0].ops.nodes = {{0, 1}, {1, 2}};
  trace.topology.nodes = {1, 2, 3, 4};
  trace.topology.host_functions = {3};
  trace.topology.dependencies = std::move(dependencies);
  return trace;
}

TEST_CASE("a host function in a graph holds the nodes right behind it") {
  const Trace between = with_graph({{2, 3, 0, false}, {3, 1, 0, false}});
  REQUIRE_FALSE(StreamHolds(between, between.devices[0]).waited_for_host_function(0));
  REQUIRE(StreamHolds(between, between.devices[0]).waited_for_host_function(1));
  // Kernel 1 is launched at 0, and kernel 2 at 20.
  const Trace removed = with_graph({{2, 3, 0, false}, {2, 3, 10, true}});
  REQUIRE_FALSE(StreamHolds(removed, removed.devices[0]).waited_for_host_function(1));
  const Trace removed_later = with_graph({{2, 3, 0, false}, {2, 3, 30, true}});
  REQUIRE(StreamHolds(removed_later, removed_later.devices[0]).waited_for_host_function(1));
  const Trace by_way = with_graph({{2, 4, 0, false}, {4, 3, 0, false}});
  REQUIRE(StreamHolds(by_way, by_way.devices[0]).waited_for_host_function(1));
  const Trace before_both = with_graph({{1, 3, 0, false}, {2, 1, 0, false}});
  REQUIRE(StreamHolds(before_both, before_both.devices[0]).waited_for_host_function(0));
  REQUIRE_FALSE(StreamHolds(before_both, before_both.devices[0]).waited_for_host_function(1));
}

}  // namespace
}  // namespace lapscope::analyzer
