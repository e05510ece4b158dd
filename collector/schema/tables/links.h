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
    "The links of the GPUs to the host and to each other, as CUPTI told them when CUDA was "
    "initialised: a link that saves power then may be quicker later. No row: not known.",
    extra("kind", &LinkRow::kind, Unit::none, "pcie or nvlink"),
    extra("gpuId", &LinkRow::gpuId, Unit::id,
          "TARGET_INFO_GPU.id; NULL for nvlink, whose GPUs are told by uuid only"),
    extra("uuid", &LinkRow::uuid, Unit::none, "the GPU, as TARGET_INFO_GPU.uuid"),
    extra("peerUuid", &LinkRow::peerUuid, Unit::none,
          "the GPU at the other end; NULL when that is the host"),
    extra("generation", &LinkRow::generation, Unit::none,
          "of PCI Express, or NVLink's version as CUPTI codes it; NULL when not told"),
    extra("linkRate", &LinkRow::linkRate, Unit::none,
          "CUPTI's own number for a lane of PCI Express, GT/s by its documentation; NULL when not "
          "told"),
    extra("lanes", &LinkRow::lanes, Unit::count,
          "lanes of PCI Express, or physical NVLinks of the connection; NULL when not told"),
    extra(
        "bytesPerSecond", &LinkRow::bytesPerSecond, Unit::bytes_per_s,
        "the most that the link carries in one direction. PCI Express: lanes and linkRate without "
        "the line code, packet headers included; nvlink: CUPTI's bandwidth of the connection. "
        "NULL when not told"));

}  // namespace lapscope::schema
