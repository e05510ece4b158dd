#include "tests/catch.h"
#include "tests/readers/read_written.h"

namespace lapscope::analyzer {
namespace {

using test::kernel;
using test::read_written;
using trace::TraceWriter;

TEST_CASE("contexts are by process and id, those of devices without ops included") {
  const Trace trace = read_written([](TraceWriter& writer) {
    writer.insert(
        schema::ContextRow{.nullStreamId = 15, .processId = 200, .deviceId = 1, .contextId = 2});
    writer.insert(
        schema::ContextRow{.nullStreamId = 7, .processId = 200, .deviceId = 0, .contextId = 1});
    writer.insert(
        schema::ContextRow{.nullStreamId = 7, .processId = 100, .deviceId = 0, .contextId = 1});
    writer.insert(kernel(0, 1));
  });
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
  const Trace trace = read_written([](TraceWriter& writer) { writer.insert(kernel(0, 1)); });
  REQUIRE(trace.contexts.empty());
}

TEST_CASE("streams in which nothing ran are streams of the device as well") {
  const Trace trace = read_written([](TraceWriter& writer) {
    writer.insert(schema::ContextRow{.nullStreamId = 7, .deviceId = 0, .contextId = 1});
    writer.insert(schema::StreamRow{.streamId = 7, .contextId = 1, .flag = 3});
    writer.insert(schema::StreamRow{.streamId = 13, .contextId = 1, .flag = 2});
    writer.insert(kernel(0, 1, 13));
  });
  const Device device = trace.devices.at(0);
  REQUIRE(device.streams.size() == 2);
  REQUIRE(device.streams[0].id == 7);
  REQUIRE(device.streams[0].kind == StreamKind::legacy_default);
  REQUIRE(device.ops.stream == std::vector<std::uint32_t>{1});
}

using schema::LinkRow;
using trace::TraceWriter;

LinkRow pcie(std::optional<std::int64_t> gpu, std::string uuid, std::int64_t rate) {
  LinkRow row;
  row.kind = "pcie";
  row.gpuId = gpu;
  row.uuid = std::move(uuid);
  row.bytesPerSecond = rate;
  return row;
}

LinkRow nvlink(std::string uuid, std::optional<std::string> peer, std::int64_t rate) {
  LinkRow row;
  row.kind = "nvlink";
  row.uuid = std::move(uuid);
  row.peerUuid = std::move(peer);
  row.bytesPerSecond = rate;
  return row;
}

// Returns the links between three devices. Device n is called GPU-n.
std::vector<LinkRates> links_with(std::initializer_list<LinkRow> rows) {
  const Trace trace = read_written([&](TraceWriter& writer) {
    for (const std::int64_t id : {0, 1, 2}) {
      schema::GpuRow gpu;
      gpu.id = id;
      gpu.uuid = "GPU-" + std::to_string(id);
      writer.insert(gpu);
      writer.insert(test::kernel(0, 1, 7, id));
    }
    for (const LinkRow& row : rows) writer.insert(row);
  });
  std::vector<LinkRates> links;
  for (const Device& device : trace.devices) {
    links.push_back(device.links);
  }
  REQUIRE(links.size() == 3);
  return links;
}

TEST_CASE("a trace without links knows no rates") {
  for (const LinkRates& links : links_with({})) {
    REQUIRE_FALSE(links.host.has_value());
    REQUIRE_FALSE(links.peer.has_value());
  }
}

TEST_CASE("the PCI Express link of a device leads to the host") {
  const auto links = links_with({pcie(1, "GPU-1", 63)});
  REQUIRE_FALSE(links[0].host.has_value());
  REQUIRE(links[1].host == 63);
  REQUIRE_FALSE(links[1].peer.has_value());
}

TEST_CASE("the uuid says whose link it is, or else the number") {
  const auto links = links_with({pcie(0, "GPU-1", 63), pcie(2, "GPU-0000", 31)});
  REQUIRE_FALSE(links[0].host.has_value());
  REQUIRE(links[1].host == 63);
  REQUIRE(links[2].host == 31);
}

TEST_CASE("an NVLink to the host goes before PCI Express") {
  const auto links = links_with({nvlink("GPU-0", std::nullopt, 450), pcie(0, "GPU-0", 63)});
  REQUIRE(links[0].host == 450);
}

TEST_CASE("one row of an NVLink stands for both its ends") {
  const auto links = links_with({nvlink("GPU-0", "GPU-1", 450)});
  REQUIRE(links[0].peer == 450);
  REQUIRE(links[1].peer == 450);
  REQUIRE_FALSE(links[2].peer.has_value());
  REQUIRE_FALSE(links[0].host.has_value());
}

TEST_CASE("links to peers that differ give no rate for copies of which the peer is not known") {
  const auto links = links_with({nvlink("GPU-0", "GPU-1", 450), nvlink("GPU-2", "GPU-0", 225)});
  REQUIRE_FALSE(links[0].peer.has_value());
  REQUIRE(links[1].peer == 450);
  REQUIRE(links[2].peer == 225);
}

TEST_CASE("rates that are absent or absurd are not known") {
  LinkRow unknown = pcie(0, "GPU-0", 0);
  unknown.bytesPerSecond.reset();
  const auto links = links_with({unknown, pcie(1, "GPU-1", 0), pcie(2, "GPU-2", -5)});
  for (const LinkRates& rates : links) REQUIRE_FALSE(rates.host.has_value());
}

}  // namespace
}  // namespace lapscope::analyzer
