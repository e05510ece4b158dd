#include "analyzer/reader/read_trace.h"
#include "tests/analyzer/support/trace_file.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::kernel;
using test::TemporaryFolder;
using test::write_trace;
using trace::TraceWriter;

TEST_CASE("contexts are by process and id, those of devices without ops included") {
  const TemporaryFolder folder;
  write_trace(folder / "t", [](TraceWriter& trace) {
    trace.insert(
        schema::ContextRow{.nullStreamId = 15, .processId = 200, .deviceId = 1, .contextId = 2});
    trace.insert(
        schema::ContextRow{.nullStreamId = 7, .processId = 200, .deviceId = 0, .contextId = 1});
    trace.insert(
        schema::ContextRow{.nullStreamId = 7, .processId = 100, .deviceId = 0, .contextId = 1});
    trace.insert(kernel(0, 1));
  });
  const Trace trace = read_trace(folder / "t");
  REQUIRE(trace.devices.size() == 1);
  REQUIRE(trace.contexts.size() == 3);
  REQUIRE(trace.contexts[0].pid == 100);
  REQUIRE(trace.contexts[1].pid == 200);
  REQUIRE(trace.contexts[1].id == 1);
  REQUIRE(trace.contexts[1].device == 0);
  REQUIRE(trace.contexts[1].null_stream == 7);
  REQUIRE(trace.contexts[2].id == 2);
  REQUIRE(trace.contexts[2].device == 1);
  REQUIRE(trace.contexts[2].null_stream == 15);
}

TEST_CASE("a trace that lists no contexts has none") {
  const TemporaryFolder folder;
  write_trace(folder / "t", [](TraceWriter& trace) { trace.insert(kernel(0, 1)); });
  REQUIRE(read_trace(folder / "t").contexts.empty());
}

TEST_CASE("streams in which nothing ran are streams of the device as well") {
  const TemporaryFolder folder;
  write_trace(folder / "t", [](TraceWriter& trace) {
    trace.insert(schema::ContextRow{.nullStreamId = 7, .deviceId = 0, .contextId = 1});
    trace.insert(schema::StreamRow{.streamId = 7, .contextId = 1, .flag = 3});
    trace.insert(schema::StreamRow{.streamId = 13, .contextId = 1, .flag = 2});
    trace.insert(kernel(0, 1, 13));
  });
  const Device device = read_trace(folder / "t").devices.at(0);
  REQUIRE(device.streams.size() == 2);
  REQUIRE(device.streams[0].id == 7);
  REQUIRE(device.streams[0].kind == StreamKind::legacy_default);
  REQUIRE(device.ops.stream == std::vector<std::uint32_t>{1});
}

}  // namespace
}  // namespace lapscope::analyzer
