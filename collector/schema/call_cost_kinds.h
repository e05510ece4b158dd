#pragma once

#include <array>
#include <string_view>

// Kinds of LAPSCOPE_CALL_COSTS: what recording makes longer, and by how much.
namespace lapscope::schema::call_cost {

// Calls, named as the analyzer names their kinds (analyzer/model/calls.h).
inline constexpr std::string_view launch = "launch";
inline constexpr std::string_view graph_launch = "graph-launch";  // but for its nodes
inline constexpr std::string_view copy_async = "copy-async";
inline constexpr std::string_view copy_blocking = "copy-blocking";
inline constexpr std::string_view memset = "memset";
inline constexpr std::string_view record_event = "record-event";
inline constexpr std::string_view wait_event = "wait-event";
inline constexpr std::string_view query = "query";
inline constexpr std::string_view synchronize = "synchronize";  // that finds all done
inline constexpr std::string_view allocate = "allocate";
inline constexpr std::string_view release = "release";
inline constexpr std::string_view host_function = "host-function";

inline constexpr std::array of_calls = {launch,      graph_launch, copy_async, copy_blocking,
                                        memset,      record_event, wait_event, query,
                                        synchronize, allocate,     release,    host_function};

// A copy, a launch and a memset, in the mean, of a thread that has slept for 3 ms.
inline constexpr std::string_view cold_call = "cold-call";

// The call that launches a graph, for each node of the graph.
inline constexpr std::string_view graph_node = "graph-node";
// A range of NVTX, opened and closed.
inline constexpr std::string_view nvtx_range = "nvtx-range";
// From kernel to kernel on the GPU, in a stream and in a graph, where the GPU is behind the host.
inline constexpr std::string_view kernel_on_device = "kernel-on-device";
inline constexpr std::string_view graph_node_on_device = "graph-node-on-device";
// From one launch of a graph to the next in a stream, likewise.
inline constexpr std::string_view graph_launch_on_device = "graph-launch-on-device";

}  // namespace lapscope::schema::call_cost
