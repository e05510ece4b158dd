#pragma once

#include "collector/schema/table.h"

// The links that connect the GPUs.
namespace lapscope::schema {

struct LinkRow {
  TABLE(LinkRow, "LAPSCOPE_LINKS",
        "One link of a GPU to the host or to another GPU. Linux reported the PCI Express links at "
        "the end of the recording. CUPTI reported the NVLinks at the begin of the recording. A "
        "link that was not reported has no row.");
  COLUMN(Text, kind, none, "pcie or nvlink");
  COLUMN(
      MaybeInt, gpuId, id,
      "TARGET_INFO_GPU.id; NULL if the GPU is not in that table, or if the recording was cut off");
  COLUMN(Text, uuid, none, "the GPU, as TARGET_INFO_GPU.uuid");
  COLUMN(MaybeText, peerUuid, none,
         "the GPU at the other end; NULL if the host is at the other end");
  COLUMN(MaybeInt, generation, none,
         "generation of PCI Express, or CUPTI's code of the NVLink version; NULL if unknown");
  COLUMN(MaybeInt, linkRate, none,
         "rate of one PCI Express lane, in 10^6 transfers per second; NULL for nvlink");
  COLUMN(MaybeInt, lanes, count,
         "number of PCI Express lanes, or of physical NVLinks in the connection; NULL if unknown");
  COLUMN(MaybeInt, bytesPerSecond, bytes_per_s,
         "highest rate of the link in one direction; NULL if unknown. For pcie: lanes times "
         "linkRate, minus the overhead of the line code; packet headers are not subtracted. For "
         "nvlink: half of the bandwidth that CUPTI reports, which covers both directions");
};

}  // namespace lapscope::schema
