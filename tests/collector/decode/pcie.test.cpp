#include "tests/collector/support/synthetic_trace.h"

namespace lapscope::decode {
namespace {

using schema::LinkRow;
using test::PcieRecord;
using test::SyntheticTrace;

PcieRecord pcie_record(std::uint16_t generation, std::uint16_t link_rate, std::uint16_t width) {
  auto record = test::make_record<PcieRecord>(CUPTI_ACTIVITY_KIND_PCIE);
  record.type = CUPTI_PCIE_DEVICE_TYPE_GPU;
  record.id.devId = 1;
  record.pcieGeneration = generation;
  record.linkRate = link_rate;
  record.linkWidth = width;
  for (std::size_t i = 0; i < sizeof record.attr.gpuAttr.uuidDev.bytes; ++i) {
    record.attr.gpuAttr.uuidDev.bytes[i] = static_cast<char>(0xF0 - 13 * i);
  }
  return record;
}

TEST_CASE("the PCI Express link of a GPU is a row", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) return;
  SyntheticTrace trace(*cupti);
  trace.decode(pcie_record(5, 32, 16));
  const auto row = trace.row<LinkRow>();
  CHECK(row.kind == "pcie");
  CHECK(row.gpuId == 1);
  CHECK(row.uuid == "GPU-f0e3d6c9-bcaf-a295-887b-6e6154473a2d");
  CHECK_FALSE(row.peerUuid.has_value());
  CHECK(row.generation == 5);
  CHECK(row.linkRate == 32);
  CHECK(row.lanes == 16);
  CHECK(row.bytesPerSecond == 63'015'384'615);
}

TEST_CASE("a lane carries its rate without the line code", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) return;
  SyntheticTrace trace(*cupti);
  trace.decode(pcie_record(1, 2, 1), pcie_record(2, 5, 1), pcie_record(3, 8, 1),
               pcie_record(4, 16, 1), pcie_record(6, 64, 1));
  std::vector<std::int64_t> rates;
  for (const auto& row : trace.rows<LinkRow>()) rates.push_back(row.bytesPerSecond.value_or(0));
  CHECK(rates == std::vector<std::int64_t>{250'000'000, 500'000'000, 984'615'384, 1'969'230'769,
                                           7'375'000'000});
}

TEST_CASE("the rate of the lanes and not the generation is what a link runs at", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) return;
  SyntheticTrace trace(*cupti);
  trace.decode(pcie_record(5, 5, 8));
  CHECK(trace.row<LinkRow>().generation == 5);
  CHECK(trace.row<LinkRow>().bytesPerSecond == 4'000'000'000);
}

TEST_CASE("a link rate in MT/s is understood", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) return;
  SyntheticTrace trace(*cupti);
  trace.decode(pcie_record(1, 2500, 16), pcie_record(5, 32000, 16));
  CHECK(trace.rows<LinkRow>().at(0).bytesPerSecond == 4'000'000'000);
  CHECK(trace.rows<LinkRow>().at(1).bytesPerSecond == 63'015'384'615);
}

TEST_CASE("what is not told of a link is NULL and never made up", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) return;
  SyntheticTrace trace(*cupti);
  trace.decode(pcie_record(5, 0, 16), pcie_record(5, 32, 0), pcie_record(5, 7, 16));
  const auto rows = trace.rows<LinkRow>();
  REQUIRE(rows.size() == 3);
  for (const auto& row : rows) CHECK_FALSE(row.bytesPerSecond.has_value());
  CHECK_FALSE(rows[0].linkRate.has_value());
  CHECK_FALSE(rows[1].lanes.has_value());
}

TEST_CASE("a link that a virtual machine hides is no row", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) return;
  SyntheticTrace trace(*cupti);
  trace.decode(pcie_record(0, 0, 0));
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_PCIE).received == 1);
  CHECK_FALSE(trace.database().has_table("LAPSCOPE_LINKS"));
}

TEST_CASE("bridges are not links of a GPU", "[decode]") {
  const auto* cupti = test::real_cupti();
  if (!cupti) return;
  SyntheticTrace trace(*cupti);
  auto bridge = pcie_record(5, 32, 16);
  bridge.type = CUPTI_PCIE_DEVICE_TYPE_BRIDGE;
  trace.decode(bridge);
  CHECK_FALSE(trace.database().has_table("LAPSCOPE_LINKS"));
}

}  // namespace
}  // namespace lapscope::decode
