#pragma once

#include <optional>
#include <span>
#include <string>

#include "workloads/implicit_sync/call.h"
#include "workloads/implicit_sync/wait_verdict.h"

namespace lapscope::workloads::implicit_sync {

// Calls whose behaviour is certain, measured in every run: if one of them comes out otherwise, the
// method does not work on this machine.
//
//   control-nothing      does nothing
//   control-device       waits for the device: cudaDeviceSynchronize
//   control-event        an event that makes the kernel after wait for the kernel before
std::span<const Call> controls();

// A sentence if the control `name` did not come out as it must in every repeat with a clear answer.
std::optional<std::string> find_failure(std::string_view name, const Behaviour& behaviour);

}  // namespace lapscope::workloads::implicit_sync
