#include <cstdlib>
#include <cstring>

#include "collector/cupti/records.h"
#include "tests/collector/support/synthetic_trace.h"

namespace lapscope::decode {
namespace {

using cupti::records::NvLink;
using cupti::records::NvLinkEnds;
using cupti::records::NvLinkWithPointers;
using schema::LinkRow;

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
