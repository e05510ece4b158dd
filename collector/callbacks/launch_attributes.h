#pragma once

#include <cupti.h>

#include <optional>

#include "collector/callbacks/events.h"

namespace lapscope::callbacks {

// Reads the configuration that a launch function of this API was given: a cudaLaunchConfig_t of the
// runtime's, a CUlaunchConfig of the driver's. Sets the attributes of `launch`; returns the stream,
// or nothing when the launch has no attribute that changes when kernels start.
std::optional<CUstream> read_launch(CUpti_CallbackDomain domain, const void* configuration,
                                    LaunchAttributes& launch);

}  // namespace lapscope::callbacks
