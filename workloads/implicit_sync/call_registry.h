#pragma once

#include <span>
#include <string>
#include <vector>

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

// Claims that several documents make. README.md explains the tags.
inline constexpr Claim separates_streams{Documented::separates_streams, "lecture, guide"};
inline constexpr Claim null_stream{Documented::separates_streams,
                                   "lecture, guide, article, tutorial"};

// Returns all calls in the order of measurement, the controls first. The order matters: after the
// launch of a kernel that prints, the size of the printf buffer cannot change.
const std::vector<Call>& all_calls();

// Returns the calls whose name or function is one of `names`, in the order of `all_calls`. If
// `names` is empty, returns all calls. Always includes the controls. If no call matches, throws
// UsageError, which lists the functions.
std::vector<const Call*> select_calls(const std::vector<std::string>& names);

}  // namespace lapscope::workloads::implicit_sync
