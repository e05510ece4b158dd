#pragma once

#include <array>
#include <string_view>

// Values of LAPSCOPE_CALL_COSTS.kind: activities that take longer because of recording.
namespace lapscope::schema::call_cost {

// Calls, named like their kinds in the analyzer (analyzer/model/calls.h).
inline constexpr std::string_view launch = "launch";
inline constexpr std::string_view graph_launch = "graph-launch";  // without the time for its nodes
inline constexpr std::string_view copy_async = "copy-async";
inline constexpr std::string_view copy_blocking = "copy-blocking";
inline constexpr std::string_view memset = "memset";
inline constexpr std::string_view record_event = "record-event";
inline constexpr std::string_view wait_event = "wait-event";
inline constexpr std::string_view query = "query";
inline constexpr std::string_view synchronize = "synchronize";  // with no work to wait for
inline constexpr std::string_view allocate = "allocate";
inline constexpr std::string_view release = "release";
inline constexpr std::string_view host_function = "host-function";

inline constexpr std::array of_calls = {launch,      graph_launch, copy_async, copy_blocking,
                                        memset,      record_event, wait_event, query,
                                        synchronize, allocate,     release,    host_function};

// A call by a thread that has just slept for 3 ms. Its cost is the mean of the costs of a copy, a
// launch and a memset.
inline constexpr std::string_view cold_call = "cold-call";

// The time that each node of a graph adds to a launch of the graph.
inline constexpr std::string_view graph_node = "graph-node";
inline constexpr std::string_view nvtx_range = "nvtx-range";
// Time on the GPU from the start of a kernel to the start of the next kernel, which is already
// enqueued. The first name is for kernels in a stream, the second name for kernels in a graph.
inline constexpr std::string_view kernel_on_device = "kernel-on-device";
inline constexpr std::string_view graph_node_on_device = "graph-node-on-device";
// Time on the GPU from the start of a graph to the start of the next graph in the stream. The next
// graph is already enqueued.
inline constexpr std::string_view graph_launch_on_device = "graph-launch-on-device";
// Time on the GPU from the start of a copy to the start of the next copy in the stream, which is
// already enqueued. Both copies are between host and device, in one direction.
inline constexpr std::string_view copy_on_device = "copy-on-device";

}  // namespace lapscope::schema::call_cost
