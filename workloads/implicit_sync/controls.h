#pragma once

#include <optional>
#include <span>
#include <string>

#include "workloads/implicit_sync/call.h"
#include "workloads/implicit_sync/wait_verdict.h"

namespace lapscope::workloads::implicit_sync {

// Calls whose behaviour is known, measured in every run. If a control behaves otherwise, the method
// does not work on this machine.
//
//   control-nothing      does nothing
//   control-device       waits for the device: cudaDeviceSynchronize
//   control-event        makes the later kernel wait for the earlier kernel, by an event
std::span<const Call> controls();

// Returns a sentence if any answer for the control `name` is unclear in all repeats, or unexpected.
std::optional<std::string> find_failure(std::string_view name, const Behaviour& behaviour);

}  // namespace lapscope::workloads::implicit_sync
