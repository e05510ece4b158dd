#pragma once

#include <cstdint>

#include "collector/callbacks/callback_events.h"

namespace lapscope::host_samples {

// What a thread does that waits in a system call of this number (x86-64's or aarch64's, as the
// collector was built for).
callbacks::ThreadState state_in(std::int64_t system_call) noexcept;

// Whether a call of futex waits, by its second argument, and whether it is one that
// pthread_mutex_lock() makes: then the mutex lies at its first argument.
bool is_futex(std::int64_t system_call) noexcept;
bool is_mutex_wait(std::uint64_t operation) noexcept;

}  // namespace lapscope::host_samples
