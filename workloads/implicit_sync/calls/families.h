#pragma once

#include <span>

#include "workloads/implicit_sync/call.h"

namespace lapscope::workloads::implicit_sync {

std::span<const Call> allocation_calls();
std::span<const Call> pinning_calls();
std::span<const Call> pool_calls();
std::span<const Call> managed_calls();
std::span<const Call> copy_calls();
std::span<const Call> fill_calls();
std::span<const Call> launch_calls();
std::span<const Call> module_calls();
std::span<const Call> graph_calls();
std::span<const Call> stream_calls();
std::span<const Call> event_calls();
std::span<const Call> setting_calls();
std::span<const Call> cublas_calls();

// Where several documents say the same. README.md explains the tags.
inline constexpr Claim separates_streams{Documented::separates_streams, "lecture, guide"};
inline constexpr Claim null_stream{Documented::separates_streams,
                                   "lecture, guide, article, tutorial"};

}  // namespace lapscope::workloads::implicit_sync
