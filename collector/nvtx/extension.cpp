
#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExtPayload.h>

#include <cstddef>
#include <cstdint>

#include "collector/nvtx/range_payloads.h"
#include "collector/nvtx/watch_calls.h"

namespace lapscope::nvtx {
namespace {

// The major version of the payload extension. Versions 1.1 to 1.4 use the same schema layout.
constexpr std::uint16_t known_version = 1;

std::uint64_t register_schema(nvtxDomainHandle_t domain, const nvtxPayloadSchemaAttr_t* schema) {
  return range_payloads().schemas().add_schema(domain, schema);
}

std::uint64_t register_enumeration(nvtxDomainHandle_t domain, const nvtxPayloadEnumAttr_t* names) {
  return range_payloads().schemas().add_enumeration(domain, names);
}

template <class Function>
void set(const nvtxExtModuleSegment_t& segment, std::size_t slot, Function function) {
  if (slot < segment.slotCount) {
    segment.functionSlots[slot] = reinterpret_cast<std::intptr_t>(function);
  }
}

}  // namespace

int initialize_extension(void* module) noexcept {
  const auto* info = static_cast<const nvtxExtModuleInfo_t*>(module);
  if (!info || info->structSize < sizeof(nvtxExtModuleInfo_t)) return 1;
  if (info->moduleId != NVTX_EXT_PAYLOAD_MODULEID || info->compatId >> 8 != known_version) return 1;
  if (info->segmentsCount == 0 || !info->segments || !info->segments->functionSlots) return 1;
  try {
    range_payloads();  // allocates the object, which may throw
  } catch (...) {
    return 1;
  }
  set(*info->segments, NVTX3EXT_CBID_nvtxPayloadSchemaRegister, register_schema);
  set(*info->segments, NVTX3EXT_CBID_nvtxPayloadEnumRegister, register_enumeration);
  set(*info->segments, NVTX3EXT_CBID_nvtxMarkPayload, mark_payload);
  set(*info->segments, NVTX3EXT_CBID_nvtxRangePushPayload, push_payload);
  set(*info->segments, NVTX3EXT_CBID_nvtxRangePopPayload, pop_payload);
  set(*info->segments, NVTX3EXT_CBID_nvtxRangeStartPayload, start_payload);
  set(*info->segments, NVTX3EXT_CBID_nvtxRangeEndPayload, end_payload);
  return 1;
}

}  // namespace lapscope::nvtx
