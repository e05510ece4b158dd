#pragma once

#include "collector/schema/table.h"

// What the GPUs are connected by.
namespace lapscope::schema {

struct LinkRow {
  std::string kind;
  std::optional<std::int64_t> gpuId;
  std::string uuid;
  std::optional<std::string> peerUuid;
  std::optional<std::int64_t> generation;
  std::optional<std::int64_t> linkRate;
  std::optional<std::int64_t> lanes;
  std::optional<std::int64_t> bytesPerSecond;
};

template <>
inline constexpr auto describe<LinkRow> = table<LinkRow>(
    "LAPSCOPE_LINKS",
    "The links of the GPUs to the host and to each other: PCI Express as the kernel reported it at "
    "the "
    "end of the recording, NVLink as CUPTI reported it at its beginning. No row: not known.",
    extra("kind", &LinkRow::kind, Unit::none, "pcie or nvlink"),
    extra(
        "gpuId", &LinkRow::gpuId, Unit::id,
        "TARGET_INFO_GPU.id; NULL for a GPU that is not there, and when the recording was cut off"),
    extra("uuid", &LinkRow::uuid, Unit::none, "the GPU, as TARGET_INFO_GPU.uuid"),
    extra("peerUuid", &LinkRow::peerUuid, Unit::none,
          "the GPU at the other end; NULL when that is the host"),
    extra("generation", &LinkRow::generation, Unit::none,
          "of PCI Express, or NVLink's version as CUPTI codes it; NULL when unknown"),
    extra("linkRate", &LinkRow::linkRate, Unit::none,
          "of a lane of PCI Express, in 10^6 transfers per second; NULL for nvlink"),
    extra("lanes", &LinkRow::lanes, Unit::count,
          "lanes of PCI Express, or physical NVLinks of the connection; NULL when unknown"),
    extra(
        "bytesPerSecond", &LinkRow::bytesPerSecond, Unit::bytes_per_s,
        "the most that the link carries in one direction. PCI Express: lanes and linkRate without "
        "the line code, packet headers included; nvlink: half of CUPTI's bandwidth of the "
        "connection, which "
        "has both directions. "
        "NULL when unknown"));

}  // namespace lapscope::schema
