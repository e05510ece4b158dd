#pragma once

#include <cstdint>

#include "collector/callbacks/callback_events.h"

namespace lapscope::host_samples {

// Returns the state of a thread that waits in a system call. `system_call` is the number of this
// system call on the architecture that the collector was built for: x86-64 or aarch64.
callbacks::ThreadState state_in(std::int64_t system_call) noexcept;

// is_futex() returns whether the system call is futex. is_mutex_wait() returns whether `operation`,
// the second argument of futex, is one that pthread_mutex_lock() uses. If so, the first argument of
// futex is the address of the mutex.
bool is_futex(std::int64_t system_call) noexcept;
bool is_mutex_wait(std::uint64_t operation) noexcept;

}  // namespace lapscope::host_samples
