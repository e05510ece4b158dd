#include <cstdlib>

#include "collector/cupti/record_view.h"
#include "collector/cupti/records.h"
#include "collector/decode/kinds.h"
#include "collector/decode/recode.h"

namespace lapscope::decode {
namespace {

using cupti::RecordView;
using cupti::records::NvLink;
using cupti::records::NvLinkEnds;
using cupti::records::NvLinkWithPointers;

schema::LinkRow link(const NvLinkEnds& ends, std::uint64_t kbytes_per_second) {
  schema::LinkRow row;
  row.kind = "nvlink";
  const bool gpu0 = ends.typeDev0 == CUPTI_DEV_TYPE_GPU;
  const bool gpu1 = ends.typeDev1 == CUPTI_DEV_TYPE_GPU;
  // In a link between a GPU and a CPU, `uuid` is the GPU's.
  row.uuid = uuid_text(gpu0 ? ends.idDev0 : ends.idDev1);
  if (gpu0 && gpu1) row.peerUuid = uuid_text(ends.idDev1);
  if (ends.nvlinkVersion > 0) row.generation = ends.nvlinkVersion;
  if (ends.physicalNvLinkCount > 0) row.lanes = ends.physicalNvLinkCount;
  constexpr std::uint64_t more_than_any_link = 1'000'000'000'000;
  if (kbytes_per_second > 0 && kbytes_per_second < more_than_any_link) {
    // CUPTI's rate is the sum of both directions, so it is halved. For the 18 links of an H200,
    // CUPTI reports 850 GB/s. A copy over these links to another GPU runs at 392 GB/s.
    row.bytesPerSecond = static_cast<std::int64_t>(kbytes_per_second) * 1000 / 2;
  }
  return row;
}

}  // namespace

// Decodes records with the size of NvLink or NvLinkWithPointers. Skips other records, because their
// layout is not known.
void decode_nvlink(const void* record, std::size_t size, DecodeContext& context) {
  NvLinkEnds ends{};
  std::uint64_t bandwidth = 0;
  if (size == sizeof(NvLink)) {
    const RecordView<NvLink> view(record, size);
    ends = view->ends;
    bandwidth = view->bandwidth;
  } else if (size == sizeof(NvLinkWithPointers)) {
    const RecordView<NvLinkWithPointers> view(record, size);
    ends = view->ends;
    bandwidth = view->bandwidth;
  }
  if (ends.typeDev0 != CUPTI_DEV_TYPE_GPU && ends.typeDev1 != CUPTI_DEV_TYPE_GPU) return;
  context.trace.insert(link(ends, bandwidth));
}

void release_nvlink(const void* record, std::size_t size) {
  if (size != sizeof(NvLinkWithPointers)) return;
  const RecordView<NvLinkWithPointers> view(record, size);
  std::free(view->portDev0);
  std::free(view->portDev1);
}

}  // namespace lapscope::decode
