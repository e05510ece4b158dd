#pragma once

#include <chrono>

#include "workloads/implicit_sync/call.h"
#include "workloads/implicit_sync/observation.h"

namespace lapscope::workloads::implicit_sync {

// What the call takes the host on an idle device, in ms. Throws Unavailable if the call fails,
// std::runtime_error if the device does.
double time_idle(Rig& rig, const Trial& trial);

// Makes the call while a kernel of `length` runs on all multiprocessors, launches another kernel,
// and tells when everything happened. Throws as `time_idle` does.
Observation observe(Rig& rig, const Trial& trial, Arrangement arrangement,
                    std::chrono::nanoseconds length);

}  // namespace lapscope::workloads::implicit_sync
