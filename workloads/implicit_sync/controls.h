#pragma once

#include <optional>
#include <span>
#include <string>

#include "workloads/implicit_sync/call.h"
#include "workloads/implicit_sync/wait_verdict.h"

namespace lapscope::workloads::implicit_sync {

// Controls are calls with known behaviour. Every run measures them. If a control behaves
// differently, the method does not work on this machine.
//
//   control-nothing      does nothing
//   control-device       waits for the device: cudaDeviceSynchronize
//   control-event        makes the later kernel wait for the earlier kernel, by an event
std::span<const Call> controls();

// Returns a sentence if an answer for the control `name` is wrong in one repeat, or unclear in all.
std::optional<std::string> find_failure(std::string_view name, const Behaviour& behaviour);

}  // namespace lapscope::workloads::implicit_sync
