#pragma once

#include "collector/schema/table.h"

// The links that connect the GPUs.
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
    "One link of a GPU to the host or to another GPU. Linux reported the PCI Express links at the "
    "end of the recording. CUPTI reported the NVLinks at the begin of the recording. A link that "
    "was not reported has no row.",
    extra("kind", &LinkRow::kind, Unit::none, "pcie or nvlink"),
    extra("gpuId", &LinkRow::gpuId, Unit::id,
          "TARGET_INFO_GPU.id; NULL if the GPU is not in that table, or if the recording was cut "
          "off"),
    extra("uuid", &LinkRow::uuid, Unit::none, "the GPU, as TARGET_INFO_GPU.uuid"),
    extra("peerUuid", &LinkRow::peerUuid, Unit::none,
          "the GPU at the other end; NULL if the host is at the other end"),
    extra("generation", &LinkRow::generation, Unit::none,
          "generation of PCI Express, or CUPTI's code of the NVLink version; NULL if unknown"),
    extra("linkRate", &LinkRow::linkRate, Unit::none,
          "rate of one PCI Express lane, in 10^6 transfers per second; NULL for nvlink"),
    extra("lanes", &LinkRow::lanes, Unit::count,
          "number of PCI Express lanes, or of physical NVLinks in the connection; NULL if unknown"),
    extra("bytesPerSecond", &LinkRow::bytesPerSecond, Unit::bytes_per_s,
          "highest rate of the link in one direction; NULL if unknown. For pcie: lanes times "
          "linkRate, minus the overhead of the line code; packet headers are not subtracted. For "
          "nvlink: half of the bandwidth that CUPTI reports, which covers both directions"));

}  // namespace lapscope::schema
