#include "readers/read_trace.h"

#include "tests/analyzer/support/trace_file.h"
#include "tests/catch.h"
#include "tests/readers/read_written.h"

namespace lapscope::analyzer {
namespace {

using test::kernel;
using test::read_written;
using test::TemporaryFolder;
using test::write_trace;
using trace::TraceWriter;

constexpr std::int64_t copy_in = 1;
constexpr std::int64_t copy_out = 2;

TEST_CASE("ops are read from all three tables, with their engines") {
  const Trace trace = read_written([](TraceWriter& writer) {
    writer.insert(kernel(10, 20, 13));
    writer.insert(test::memcpy(5, 15, copy_in));
    writer.insert(test::memcpy(20, 30, copy_out));
    writer.insert(test::memset(1, 2));
  });
  REQUIRE(trace.health.empty());
  REQUIRE(trace.devices.size() == 1);
  const Ops& ops = trace.devices[0].ops;
  REQUIRE(ops.start == std::vector<std::int64_t>{1, 5, 10, 20});
  REQUIRE(ops.end == std::vector<std::int64_t>{2, 15, 20, 30});
  REQUIRE(trace.devices[0].streams.size() == 2);
  REQUIRE(trace.devices[0].streams[0].id == 7);
  REQUIRE(trace.devices[0].streams[1].id == 13);
  REQUIRE(ops.stream == std::vector<std::uint32_t>{0, 0, 1, 0});
  REQUIRE(ops.engine ==
          std::vector<Engine>{Engine::compute, Engine::h2d, Engine::compute, Engine::d2h});
  REQUIRE(ops.kind ==
          std::vector<OpKind>{OpKind::memset, OpKind::memcpy, OpKind::kernel, OpKind::memcpy});
}

TEST_CASE("the channel of a copy outranks its direction") {
  const Trace trace = read_written([](TraceWriter& writer) {
    writer.insert(test::memcpy(0, 1, copy_in, 1));
    writer.insert(test::memcpy(1, 2, copy_in, std::nullopt));
  });
  REQUIRE(trace.devices[0].ops.engine == std::vector<Engine>{Engine::compute, Engine::h2d});
}

TEST_CASE("devices are kept apart and named") {
  const Trace trace = read_written([](TraceWriter& writer) {
    for (const std::int64_t id : {0, 1, 2}) {
      schema::GpuRow gpu;
      gpu.id = id;
      gpu.name = "GPU " + std::to_string(id);
      writer.insert(gpu);
    }
    writer.insert(kernel(0, 1, 7, 2));
    writer.insert(kernel(0, 1, 17, 1));
  });
  REQUIRE(trace.devices.size() == 2);  // device 0 did nothing
  REQUIRE(trace.devices[0].id == 1);
  REQUIRE(trace.devices[0].name == "GPU 1");
  REQUIRE(trace.devices[1].name == "GPU 2");
}

TEST_CASE("streams come with their kind, priority and device") {
  const Trace trace = read_written([](TraceWriter& writer) {
    writer.insert(schema::ContextRow{.nullStreamId = 7, .deviceId = 0, .contextId = 1});
    writer.insert(schema::StreamRow{.streamId = 13, .contextId = 1, .flag = 2});
    writer.insert(schema::StreamRow{.streamId = 7, .contextId = 1, .flag = 3});
    writer.insert(
        schema::StreamRow{.streamId = 12, .contextId = 1, .priority = 4294967291, .flag = 1});
    writer.insert(kernel(0, 1));
  });
  const auto streams = trace.devices[0].streams;
  REQUIRE(streams.size() == 3);
  REQUIRE(streams[0].kind == StreamKind::legacy_default);
  REQUIRE(streams[1].kind == StreamKind::blocking);
  REQUIRE(streams[1].priority == -5);
  REQUIRE(streams[2].kind == StreamKind::non_blocking);
}

TEST_CASE("facts of the recording are read") {
  const TraceFacts facts =
      read_written([](TraceWriter& trace) { trace.insert(kernel(0, 1)); }).facts;
  REQUIRE(facts.format == "lapscope/1");
  REQUIRE(facts.command == "./synthetic");
  REQUIRE(facts.created == "2026-01-02T03:04:05Z");
  REQUIRE(facts.driver == "580.1");
  REQUIRE(facts.cupti == "130001");
  REQUIRE(facts.recorder == "lapscope 0.0.0");
}

TEST_CASE("settings of the program are those of its environment that were recorded") {
  const Trace trace = read_written([](TraceWriter& writer) {
    writer.insert(kernel(0, 1));
    writer.insert(schema::EnvironmentRow{"CUDA_LAUNCH_BLOCKING", "1"});
    writer.insert(schema::EnvironmentRow{"CUDA_DEVICE_MAX_CONNECTIONS", "32"});
  });
  REQUIRE(trace.settings.size() == 2);
  REQUIRE(trace.settings.at("CUDA_LAUNCH_BLOCKING") == "1");
  REQUIRE(trace.settings.at("CUDA_DEVICE_MAX_CONNECTIONS") == "32");
}

TEST_CASE("a program without such settings has none") {
  const Trace trace = read_written([](TraceWriter& writer) { writer.insert(kernel(0, 1)); });
  REQUIRE(trace.settings.empty());
}

TEST_CASE("reading leaves nothing beside the file") {
  const TemporaryFolder folder;
  write_trace(folder / "t.sqlite", [](TraceWriter& trace) { trace.insert(kernel(0, 1)); });
  const std::string before = test::read_file(folder / "t.sqlite");
  read_trace(folder / "t.sqlite");
  REQUIRE(test::names_in(folder.path()) == std::vector<std::string>{"t.sqlite"});
  REQUIRE(test::read_file(folder / "t.sqlite") == before);
}

TEST_CASE("a trace that is still being written can be read up to the last commit") {
  const TemporaryFolder folder;
  TraceWriter writer(folder / "t.sqlite");
  writer.set_fact("recording", "running");
  writer.set_fact("flush-period-ms", "200");
  writer.insert(kernel(0, 1));
  writer.commit();
  writer.insert(kernel(1, 2));
  const Trace trace = read_trace(folder / "t.sqlite");
  REQUIRE(trace.devices[0].ops.size() == 1);
  REQUIRE(trace.health.size() == 1);
  REQUIRE(code_of(trace.health[0]) == "still-running");
}

TEST_CASE("a path with characters that mean something in a URI is only a path") {
  const TemporaryFolder folder;
  const auto path = folder / "100% of #1?mode=rwc.sqlite";
  write_trace(path, [](TraceWriter& trace) { trace.insert(kernel(0, 1)); });
  REQUIRE(read_trace(path).devices.size() == 1);
}

}  // namespace
}  // namespace lapscope::analyzer
