#include <cstdlib>
#include <cstring>

#include "collector/cupti/records.h"
#include "tests/collector/support/synthetic_trace.h"

namespace lapscope::decode {
namespace {

using cupti::records::NvLink;
using cupti::records::NvLinkEnds;
using cupti::records::NvLinkWithPointers;
using schema::ContextRow;
using schema::CudaDeviceRow;
using schema::GpuRow;
using schema::LinkRow;
using schema::StreamRow;
using test::ContextRecord;
using test::DeviceRecord;
using test::StreamRecord;
using test::SyntheticTrace;

// Makes the record of an H200. Some values are changed, so that no two values are equal.
DeviceRecord device_record() {
  auto record = test::make_record<DeviceRecord>(CUPTI_ACTIVITY_KIND_DEVICE);
  record.id = 1;
  record.name = "NVIDIA H200";
  record.globalMemoryBandwidth = 4'915'200'000;  // kbytes/s
  record.globalMemorySize = 150'000'000'000;
  record.constantMemorySize = 65536;
  record.l2CacheSize = 62'914'560;
  record.numThreadsPerWarp = 32;
  record.coreClockRate = 1'980'000;  // kHz
  record.numMemcpyEngines = 3;
  record.numMultiprocessors = 132;
  record.maxIPC = 4;
  record.maxWarpsPerMultiprocessor = 64;
  record.maxBlocksPerMultiprocessor = 31;
  record.maxSharedMemoryPerMultiprocessor = 233'472;
  record.maxRegistersPerMultiprocessor = 65537;
  record.maxRegistersPerBlock = 65538;
  record.maxSharedMemoryPerBlock = 49152;
  record.maxThreadsPerBlock = 1024;
  record.maxBlockDimX = 1025;
  record.maxBlockDimY = 1026;
  record.maxBlockDimZ = 63;
  record.maxGridDimX = 2'147'483'647;
  record.maxGridDimY = 65535;
  record.maxGridDimZ = 65534;
  record.computeCapabilityMajor = 9;
  record.computeCapabilityMinor = 1;
  for (std::size_t i = 0; i < sizeof record.uuid.bytes; ++i) {
    record.uuid.bytes[i] = static_cast<char>(0xF0 - 13 * i);
  }
  return record;
}

TEST_CASE("a device is a row in base units", "[decode]") {
  SyntheticTrace trace;
  trace.decode(device_record());
  const auto row = trace.row<GpuRow>();
  CHECK(row.id == 1);
  CHECK(row.cuDevice == 1);
  CHECK(row.vmId == 1);
  CHECK(row.name == "NVIDIA H200");
  CHECK(row.memoryBandwidth == 4'915'200'000'000);
  CHECK(row.totalMemory == 150'000'000'000);
  CHECK(row.constantMemory == 65536);
  CHECK(row.l2CacheSize == 62'914'560);
  CHECK(row.threadsPerWarp == 32);
  CHECK(row.clockRate == 1'980'000'000);
  CHECK(row.asyncEngines == 3);
  CHECK(row.smCount == 132);
  CHECK(row.maxIPC == 4);
  CHECK(row.maxWarpsPerSm == 64);
  CHECK(row.maxBlocksPerSm == 31);
  CHECK(row.maxShmemPerSm == 233'472);
  CHECK(row.maxRegistersPerSm == 65537);
  CHECK(row.maxRegistersPerBlock == 65538);
  CHECK(row.maxShmemPerBlock == 49152);
  CHECK(row.maxThreadsPerBlock == 1024);
  CHECK(row.maxBlockDimX == 1025);
  CHECK(row.maxBlockDimY == 1026);
  CHECK(row.maxBlockDimZ == 63);
  CHECK(row.maxGridDimX == 2'147'483'647);
  CHECK(row.maxGridDimY == 65535);
  CHECK(row.maxGridDimZ == 65534);
  CHECK(row.computeMajor == 9);
  CHECK(row.computeMinor == 1);
  CHECK(row.smMajor == 9);
  CHECK(row.smMinor == 1);
}

TEST_CASE("a device's uuid is written as nvidia-smi does", "[decode]") {
  SyntheticTrace trace;
  trace.decode(device_record());
  CHECK(trace.row<GpuRow>().uuid == "GPU-f0e3d6c9-bcaf-a295-887b-6e6154473a2d");
}

TEST_CASE("CUDA's number of a device is in a table of its own", "[decode]") {
  SyntheticTrace trace;
  trace.decode(device_record());
  const auto row = trace.row<CudaDeviceRow>();
  CHECK(row.gpuId == 1);
  CHECK(row.cudaId == 1);
  CHECK(row.pid == test::pid);
  CHECK(row.uuid == trace.row<GpuRow>().uuid);
  CHECK(row.numMultiprocessors == 132);
}

TEST_CASE("a device without a name is no crash", "[decode]") {
  SyntheticTrace trace;
  DeviceRecord record = device_record();
  record.name = nullptr;
  trace.decode(record);
  CHECK_FALSE(trace.row<GpuRow>().name.has_value());
}

ContextRecord context_record() {
  auto record = test::make_record<ContextRecord>(CUPTI_ACTIVITY_KIND_CONTEXT);
  record.contextId = 2;
  record.deviceId = 5;
  record.nullStreamId = 17;
  record.parentContextId = 1;
  record.numMultiprocessors = 16;
  return record;
}

TEST_CASE("a context is a row with the id of its null stream", "[decode]") {
  SyntheticTrace trace;
  trace.decode(context_record());
  const auto row = trace.row<ContextRow>();
  CHECK(row.contextId == 2);
  CHECK(row.deviceId == 5);
  CHECK(row.nullStreamId == 17);
  CHECK(row.processId == test::pid);
  CHECK(row.hwId == 0);
  CHECK(row.vmId == 1);
  CHECK_FALSE(row.isGreenContext.has_value());
  CHECK_FALSE(row.parentContextId.has_value());
  CHECK_FALSE(row.numMultiprocessors.has_value());
}

TEST_CASE("a green context has a parent and a share of the multiprocessors", "[decode]") {
  SyntheticTrace trace;
  ContextRecord record = context_record();
  record.isGreenContext = 1;
  trace.decode(record);
  const auto row = trace.row<ContextRow>();
  CHECK(row.isGreenContext == 1);
  CHECK(row.parentContextId == 1);
  CHECK(row.numMultiprocessors == 16);
}

TEST_CASE("a stream is a row with its flag and its priority as unsigned", "[decode]") {
  SyntheticTrace trace;
  auto record = test::make_record<StreamRecord>(CUPTI_ACTIVITY_KIND_STREAM);
  record.contextId = 2;
  record.streamId = 13;
  record.priority = static_cast<std::uint32_t>(-5);
  record.flag = CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING;
  trace.decode(record);
  const auto row = trace.row<StreamRow>();
  CHECK(row.streamId == 13);
  CHECK(row.contextId == 2);
  CHECK(row.processId == test::pid);
  CHECK(row.priority == 4'294'967'291);  // Nsight Systems exports the same value
  CHECK(row.flag == 2);
  CHECK(row.hwId == 0);
  CHECK(row.vmId == 1);
  CHECK(trace.database().has_table("ENUM_CUPTI_STREAM_TYPE"));
}

// Decodes NVLink records into a trace. The layout of these records depends on the version of
// libcupti. The tests therefore pass single records to the decoder.
class NvLinkTrace {
 public:
  explicit NvLinkTrace(const cupti::CuptiApi& cupti)
      : writer_(schema::Database::in_memory()),
        context_(writer_, cupti, test::pid, test::session_start, {}) {}

  template <class Record>
  void decode(const Record& record, std::size_t size = sizeof(Record)) {
    decode_nvlink(&record, size, context_);
    release_nvlink(&record, size);
  }
  schema::Database& database() { return writer_.database(); }
  LinkRow row() {
    const auto found = test::all_rows<LinkRow>(database());
    REQUIRE(found.size() == 1);
    return found.front();
  }

 private:
  trace::TraceWriter writer_;
  DecodeContext context_;
};

NvLinkEnds two_gpus() {
  NvLinkEnds ends{};
  ends.kind = CUPTI_ACTIVITY_KIND_NVLINK;
  ends.nvlinkVersion = 4;
  ends.typeDev0 = CUPTI_DEV_TYPE_GPU;
  ends.typeDev1 = CUPTI_DEV_TYPE_GPU;
  ends.idDev0[0] = 0xA0;
  ends.idDev1[0] = 0xB1;
  ends.physicalNvLinkCount = 18;
  return ends;
}

constexpr const char* first_gpu = "GPU-a0000000-0000-0000-0000-000000000000";
constexpr const char* second_gpu = "GPU-b1000000-0000-0000-0000-000000000000";

void check_row(const LinkRow& row) {
  CHECK(row.kind == "nvlink");
  CHECK_FALSE(row.gpuId.has_value());
  CHECK(row.uuid == first_gpu);
  CHECK(row.peerUuid == second_gpu);
  CHECK(row.generation == 4);
  CHECK_FALSE(row.linkRate.has_value());
  CHECK(row.lanes == 18);
  CHECK(row.bytesPerSecond == 450'000'000'000);
}

TEST_CASE("an NVLink between two GPUs is a row", "[decode]") {
  NvLink record{};
  record.ends = two_gpus();
  record.bandwidth = 900'000'000;  // kbytes/s, both directions
  NvLinkTrace trace{cupti::CuptiApi{}};
  trace.decode(record);
  check_row(trace.row());
}

TEST_CASE("the layout of CUDA 13.2 is known by its size, and its ports are freed", "[decode]") {
  NvLinkWithPointers record{};
  record.ends = two_gpus();
  record.bandwidth = 900'000'000;  // kbytes/s, both directions
  record.portDev0 = static_cast<std::uint32_t*>(std::malloc(18 * sizeof(std::uint32_t)));
  record.portDev1 = static_cast<std::uint32_t*>(std::malloc(18 * sizeof(std::uint32_t)));
  NvLinkTrace trace{cupti::CuptiApi{}};
  trace.decode(record);
  check_row(trace.row());
}

TEST_CASE("a layout of neither size is left", "[decode]") {
  NvLink record{};
  record.ends = two_gpus();
  record.bandwidth = 900'000'000;
  NvLinkTrace trace{cupti::CuptiApi{}};
  trace.decode(record, sizeof(NvLink) - 32);
  CHECK_FALSE(trace.database().has_table("LAPSCOPE_LINKS"));
}

TEST_CASE("an NVLink to the host has no peer, whichever end it is told from", "[decode]") {
  NvLink record{};
  record.ends = two_gpus();
  record.bandwidth = 1;
  const bool host_first = GENERATE(false, true);
  if (host_first) {
    record.ends.typeDev0 = CUPTI_DEV_TYPE_NPU;
  } else {
    record.ends.typeDev1 = CUPTI_DEV_TYPE_NPU;
  }
  NvLinkTrace trace{cupti::CuptiApi{}};
  trace.decode(record);
  const LinkRow row = trace.row();
  CHECK(row.uuid == (host_first ? second_gpu : first_gpu));
  CHECK_FALSE(row.peerUuid.has_value());
}

TEST_CASE("a bandwidth that no link has is NULL", "[decode]") {
  NvLink record{};
  record.ends = two_gpus();
  record.bandwidth = GENERATE(std::uint64_t{0}, ~std::uint64_t{0});
  NvLinkTrace trace{cupti::CuptiApi{}};
  trace.decode(record);
  CHECK_FALSE(trace.row().bytesPerSecond.has_value());
}

TEST_CASE("at the end a link is told by its GPU's number, too", "[decode]") {
  trace::TraceWriter writer(schema::Database::in_memory());
  Decoder decoder(writer, test::real_cupti(), test::pid, test::session_start);
  schema::GpuRow gpu;
  gpu.id = 3;
  gpu.uuid = second_gpu;
  writer.insert(gpu);
  for (const char* uuid : {first_gpu, second_gpu}) {
    LinkRow link;
    link.kind = "pcie";
    link.uuid = uuid;
    writer.insert(link);
  }
  decoder.finish();
  writer.commit();
  const auto rows = test::all_rows<LinkRow>(writer.database());
  REQUIRE(rows.size() == 2);
  CHECK_FALSE(rows[0].gpuId.has_value());
  CHECK(rows[1].gpuId == 3);
}

}  // namespace

}  // namespace lapscope::decode
