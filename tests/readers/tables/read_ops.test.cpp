#include "analyzer/model/ops.h"

#include <algorithm>

#include "tests/catch.h"
#include "tests/readers/read_written.h"

// Checks the hardware channels and the kinds of memory that lapscope reads for ops.
namespace lapscope::analyzer {
namespace {

using test::read_written;
using trace::TraceWriter;

constexpr std::int64_t compute = 1;  // ENUM_LAPSCOPE_CHANNEL_TYPE
constexpr std::int64_t async_copy = 2;
constexpr std::int64_t decompression = 3;
constexpr std::int64_t pageable = 0;  // ENUM_CUDA_MEM_KIND
constexpr std::int64_t pinned = 1;
constexpr std::int64_t in_device = 2;
constexpr std::int64_t host_to_device = 1;  // ENUM_CUDA_MEMCPY_OPER
constexpr std::int64_t device_to_host = 2;
constexpr std::int64_t peer_to_peer = 10;

// Returns the ops that lapscope reads from these rows, in the order of the rows.
template <class Row>
Ops ops_of(std::vector<Row> rows, const char* afterwards = "") {
  const Trace trace = read_written([&](TraceWriter& writer) {
    std::int64_t now = 0;
    for (Row& row : rows) {
      row.start = now;
      row.end = now + 5;
      now += 10;
      writer.insert(row);
    }
    writer.commit();
    writer.database().execute(afterwards);
  });
  REQUIRE(trace.health.empty());
  return trace.devices.at(0).ops;
}

schema::KernelRow kernel_on(std::optional<std::int64_t> channel, std::optional<std::int64_t> type) {
  schema::KernelRow row;
  row.channelId = channel;
  row.channelType = type;
  return row;
}

schema::MemcpyRow copy_of(std::int64_t copy_kind, std::optional<std::int64_t> source,
                          std::optional<std::int64_t> target) {
  schema::MemcpyRow row;
  row.copyKind = copy_kind;
  row.srcKind = source;
  row.dstKind = target;
  return row;
}

using Channels = std::vector<std::uint16_t>;
using Bytes = std::vector<std::uint8_t>;

TEST_CASE("an op of any kind is in the channel that it was recorded on, 0 included") {
  REQUIRE(ops_of<schema::KernelRow>({kernel_on(0, compute), kernel_on(7, compute)}).channel ==
          Channels{0, 7});
  schema::MemcpyRow copy;
  copy.channelId = 12;
  copy.channelType = async_copy;
  REQUIRE(ops_of<schema::MemcpyRow>({copy}).channel == Channels{12});
  schema::MemsetRow memset;
  memset.channelId = 3;
  memset.channelType = compute;
  REQUIRE(ops_of<schema::MemsetRow>({memset}).channel == Channels{3});
}

TEST_CASE("a channel without an id that fits, or of a type in which no op queues, is not told") {
  const Ops ops = ops_of<schema::KernelRow>(
      {kernel_on(std::nullopt, compute), kernel_on(-1, compute), kernel_on(65'535, compute),
       kernel_on(65'534, compute), kernel_on(std::int64_t{1} << 32, compute), kernel_on(5, 0),
       kernel_on(5, decompression), kernel_on(5, std::nullopt)});
  REQUIRE(ops.channel == Channels{no_channel, no_channel, no_channel, 65'534, no_channel,
                                  no_channel, no_channel, no_channel});
}

TEST_CASE("which side of a copy is pageable") {
  const Ops ops = ops_of<schema::MemcpyRow>({
      copy_of(host_to_device, pinned, in_device),
      copy_of(host_to_device, pageable, in_device),
      copy_of(device_to_host, in_device, pageable),
      copy_of(device_to_host, in_device, pinned),
      copy_of(device_to_host, std::nullopt, std::nullopt),
  });
  REQUIRE(ops.memory == Bytes{0, source_pageable, target_pageable, 0, 0});
}

TEST_CASE("nodes of a graph are marked, whatever their kind") {
  schema::KernelRow kernel;
  kernel.graphNodeId = std::int64_t{1} << 32 | 6;
  REQUIRE(ops_of<schema::KernelRow>({kernel, {}}).memory == Bytes{in_graph, 0});
  schema::MemcpyRow copy = copy_of(host_to_device, pageable, in_device);
  copy.graphNodeId = 6;
  REQUIRE(ops_of<schema::MemcpyRow>({copy}).memory == Bytes{source_pageable | in_graph});
  schema::MemsetRow memset;
  memset.graphNodeId = 6;
  REQUIRE(ops_of<schema::MemsetRow>({memset, {}}).memory == Bytes{in_graph, 0});
}

TEST_CASE("only a copy between devices has a device that it writes to") {
  const auto to = [](std::int64_t copy_kind, std::optional<std::int64_t> device) {
    schema::MemcpyRow row;
    row.copyKind = copy_kind;
    row.dstDeviceId = device;
    return row;
  };
  const Ops ops = ops_of<schema::MemcpyRow>(
      {to(peer_to_peer, 0), to(peer_to_peer, 3), to(peer_to_peer, 255), to(peer_to_peer, -1),
       to(peer_to_peer, std::nullopt), to(host_to_device, 1)});
  REQUIRE(ops.target == Bytes{0, 3, no_device, no_device, no_device, no_device});
  REQUIRE(ops_of<schema::KernelRow>({{}}).target == Bytes{no_device});
}

TEST_CASE("a table that was trimmed of these columns is read, and they are not told") {
  const Ops kernels =
      ops_of<schema::KernelRow>({kernel_on(3, compute)},
                                "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN channelId;"
                                "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN graphNodeId");
  REQUIRE(kernels.channel == Channels{no_channel});
  REQUIRE(kernels.memory == Bytes{0});
  const Ops copies =
      ops_of<schema::MemcpyRow>({copy_of(peer_to_peer, pageable, pageable)},
                                "ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY DROP COLUMN srcKind;"
                                "ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY DROP COLUMN dstKind;"
                                "ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY DROP COLUMN dstDeviceId");
  REQUIRE(copies.memory == Bytes{0});
  REQUIRE(copies.target == Bytes{no_device});
}

TEST_CASE("kernels without launch geometry keep their channel and graph") {
  schema::KernelRow row = kernel_on(3, compute);
  row.graphNodeId = 6;
  const Ops ops = ops_of<schema::KernelRow>(
      {row}, "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN registersPerThread");
  REQUIRE(ops.geometry == std::vector<std::uint32_t>{no_index});
  REQUIRE(ops.channel == Channels{3});
  REQUIRE(ops.memory == Bytes{in_graph});
}

}  // namespace
}  // namespace lapscope::analyzer
