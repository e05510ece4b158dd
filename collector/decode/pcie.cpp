#include <optional>

#include "collector/cupti/record_view.h"
#include "collector/cupti/records.h"
#include "collector/decode/kinds.h"
#include "collector/decode/uuid_text.h"

namespace lapscope::decode {
namespace {

// What a lane carries of payload and packet headers, in bits per second, from CUPTI's link rate: a
// whole number of GT/s by its documentation (2 for 2.5 then), and taken for MT/s where it is so
// large that only that makes sense. Nothing for a rate that PCI Express does not have.
std::optional<double> bits_per_second(std::uint16_t link_rate) {
  constexpr double giga = 1e9;
  constexpr double long_code = 128.0 / 130;  // 128b/130b
  constexpr double flit = 236.0 / 256;       // bytes of packets in a flit
  switch (link_rate >= 1000 ? link_rate / 1000 : link_rate) {
    case 2:
      return 2.5 * giga * 0.8;  // 8b/10b
    case 5:
      return 5 * giga * 0.8;
    case 8:
      return 8 * giga * long_code;
    case 16:
      return 16 * giga * long_code;
    case 32:
      return 32 * giga * long_code;
    case 64:
      return 64 * giga * flit;
    default:
      return std::nullopt;
  }
}

}  // namespace

// Bridges have records too; only the links of GPUs are kept. A virtual machine may hide the link:
// then everything is 0, and there is nothing to tell.
void decode_pcie(const void* record, std::size_t size, DecodeContext& context) {
  const cupti::RecordView<cupti::records::Pcie> pcie(record, size);
  if (pcie->type != CUPTI_PCIE_DEVICE_TYPE_GPU) return;
  if (pcie->pcieGeneration == 0 && pcie->linkRate == 0 && pcie->linkWidth == 0) return;
  schema::LinkRow row;
  row.kind = "pcie";
  row.gpuId = pcie->devId;
  row.uuid = uuid_text(pcie->uuidDev);
  if (pcie->pcieGeneration > 0) row.generation = pcie->pcieGeneration;
  if (pcie->linkRate > 0) row.linkRate = pcie->linkRate;
  if (pcie->linkWidth > 0) row.lanes = pcie->linkWidth;
  const auto lane = bits_per_second(pcie->linkRate);
  if (lane && row.lanes) {
    row.bytesPerSecond = static_cast<std::int64_t>(*lane / 8 * static_cast<double>(*row.lanes));
  }
  context.trace.insert(row);
}

}  // namespace lapscope::decode
