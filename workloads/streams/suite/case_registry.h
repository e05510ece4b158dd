#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "workloads/streams/suite/case.h"

namespace lapscope::workloads::streams {

// One function per file in cases/.
std::vector<Case> allocation_cases();
std::vector<Case> copy_engine_cases();
std::vector<Case> cublas_cases();
std::vector<Case> default_stream_cases();
std::vector<Case> event_chain_cases();
std::vector<Case> fan_in_cases();
std::vector<Case> graph_callback_cases();
std::vector<Case> graph_cases();
std::vector<Case> host_cases();
std::vector<Case> host_memory_cases();
std::vector<Case> host_sync_cases();
std::vector<Case> lazy_loading_cases();
std::vector<Case> multi_gpu_cases();
std::vector<Case> nccl_cases();
std::vector<Case> peer_cases();
std::vector<Case> pinning_cases();
std::vector<Case> pipeline_cases();
std::vector<Case> priority_cases();
std::vector<Case> queue_cases();
std::vector<Case> resident_cases();
std::vector<Case> room_cases();
std::vector<Case> solver_cases();
std::vector<Case> thread_cases();
std::vector<Case> thrust_cases();
std::vector<Case> wait_event_cases();

// Returns all cases in teaching order.
const std::vector<Case>& all_cases();

// Return the entry with this name. If there is none, throw UsageError, which lists all names and
// suggests one.
const Case& find_case(std::string_view name);
const Variant& find_variant(const Case& chosen, std::string_view name);

}  // namespace lapscope::workloads::streams
