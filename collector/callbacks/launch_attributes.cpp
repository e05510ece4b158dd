#include "collector/callbacks/stream_calls.h"

#include <cuda.h>
#include <driver_types.h>

namespace lapscope::callbacks {
namespace {

// Launch attributes have the same layout and the same ids in the runtime and in the driver.
static_assert(sizeof(cudaLaunchAttribute) == sizeof(CUlaunchAttribute));
static_assert(offsetof(cudaLaunchAttribute, val) == offsetof(CUlaunchAttribute, value));
static_assert(static_cast<int>(cudaLaunchAttributeProgrammaticStreamSerialization) ==
              static_cast<int>(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION));

// The id of the attribute LAUNCH_COMPLETION_EVENT. It exists since CUDA 12.3; earlier headers do
// not name it.
constexpr int launch_completion_event = 12;

bool read_attributes(const CUlaunchAttribute* attributes, unsigned count,
                     LaunchAttributes& launch) {
  bool tells = false;
  for (unsigned i = 0; attributes && i < count; ++i) {
    const CUlaunchAttributeValue& value = attributes[i].value;
    switch (static_cast<int>(attributes[i].id)) {
      case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
        launch.programmatic_serialization = value.programmaticStreamSerializationAllowed != 0;
        tells |= launch.programmatic_serialization;
        break;
      case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
        launch.programmatic_event = true;
        tells = true;
        break;
      case launch_completion_event:
        launch.launch_completion_event = true;
        tells = true;
        break;
      case CU_LAUNCH_ATTRIBUTE_PRIORITY:
        launch.priority = value.priority;
        tells = true;
        break;
      default:
        break;
    }
  }
  return tells;
}

template <class Config>
std::optional<CUstream> read(const Config& config, CUstream stream, LaunchAttributes& launch) {
  const auto* attributes = reinterpret_cast<const CUlaunchAttribute*>(config.attrs);
  if (!read_attributes(attributes, config.numAttrs, launch)) return std::nullopt;
  return stream;
}

}  // namespace

std::optional<CUstream> read_launch(CUpti_CallbackDomain domain, const void* configuration,
                                    LaunchAttributes& launch) {
  if (!configuration) return std::nullopt;
  if (domain == CUPTI_CB_DOMAIN_RUNTIME_API) {
    const auto& config = *static_cast<const cudaLaunchConfig_t*>(configuration);
    return read(config, config.stream, launch);
  }
  const auto& config = *static_cast<const CUlaunchConfig*>(configuration);
  return read(config, config.hStream, launch);
}

}  // namespace lapscope::callbacks
