#pragma once

#include "analyzer/model/numbers/assumption.h"

// Times, limits and errors of GPUs, CUDA and recording. The source of each number is a measurement
// (with GPU and command), a document or a choice.
namespace lapscope::analyzer::assumed {

// Clocks.

inline constexpr Long clock_tolerance(
    2'000, ns, "clock_tolerance",
    "the clocks of host and GPU agree to this: an op that ends so little after a call, or after "
    "the next op began, has ended before",
    "chosen: what CUPTI's fit of the two clocks may be off by; no two ops of a stream overlap by "
    "any",
    traces);
inline constexpr Long clocks_apart(
    50'000, ns, "clocks_apart",
    "an op that starts so much before the call that issued it, or ends so much after the "
    "recording, cannot have: it is left out of every figure. Less is the error of CUPTI's fit of "
    "the two clocks",
    "chosen: none of the ops starts before its call, or ends after the recording; offsets of 9 us "
    "are known from other machines",
    traces);
inline constexpr Long clock_step(
    1'000'000, ns, "clock_step",
    "the system clock was set if it moved by more against the monotonic one during a recording",
    "chosen: a clock that is steered and not set moves by 0.5 ms a second at most (adjtimex)");
inline constexpr Real most_drift(
    0.001, share, "most_drift",
    "by which the clocks of two hosts drift apart: ns of difference per ns",
    "chosen: a clock that is steered drifts by 0.5 ms a second at most (adjtimex)");

// Latencies.

inline constexpr Long longest_latency(
    20'000, ns, "longest_latency",
    "what takes no longer needs no cause: what passes from the last release of an op to its start "
    "(launch latency, replayed as it was), from call to call of what could be one CUDA graph, and "
    "from the wake-up of a thread to its next call. What is longer waited",
    "chosen: twice what it takes: from the start of cudaLaunchKernel to the kernel on an idle GPU "
    "9.3 us (median of 342), 5.6 at best",
    traces);
inline constexpr Long start_at_once(
    10'000, ns, "start_at_once",
    "what the start of a kernel takes: one that starts so soon after its release did not wait for "
    "room on the multiprocessors, nodes of a graph that are shorter gain nothing side by side, and "
    "a fix that saves less is no finding",
    "from the start of cudaLaunchKernel to the kernel on an idle GPU 9.3 us (median of 342)",
    traces, "--min-saving-us");
inline constexpr Long latency_from_host(
    2'000, ns, "latency_from_host",
    "from when a call hands its op over to the start of that, where the trace has no op that "
    "waited for the host alone",
    "from the end of cudaLaunchKernel to its kernel on an idle GPU 1.9 us (median of 342)", traces);
inline constexpr Long latency_between_ops(
    1'300, ns, "latency_between_ops",
    "from the end of an op to the start of the one that waits for it, where the trace has no such "
    "pair",
    "chosen with the first recorded pairs; 1.0 us from kernel to kernel of a stream that were "
    "issued long before (lower quartile of 940), 1.2 in the median, waits for events among them",
    traces);
inline constexpr Long latency_in_graph(
    0, ns, "latency_in_graph", "the same from node to node of a CUDA graph",
    "bare graphs of kernels of one block, 0.6 to 33 us long, took 0 to 83 ns more per kernel than "
    "such kernels last when they are recorded one by one, and those of tiny-kernels on another "
    "machine 36 ns less: what recording adds to a kernel is about the way to the next",
    "H200: tests/bench/collector/graph_periods.py, 2026-11-22");
inline constexpr Long quick_call(
    5'000, ns, "quick_call",
    "what a call takes that only enqueues (cudaLaunchKernel, cudaMemcpyAsync) or finds done what "
    "it waits for (cudaStreamSynchronize), where the trace has no launches that returned before "
    "their kernels ended; what a thread takes to its next call once its work is done elsewhere; "
    "and from the return of a host function to what follows it",
    "launches 5.6 us (median of 2,104), synchronizations that find all done 7.0 (of 12)", traces);
inline constexpr Long dealing_out(
    1'000, ns, "dealing_out",
    "while the blocks of a kernel are dealt out to the multiprocessors, those of a kernel in a "
    "stream of higher priority go first",
    "chosen: kernels that started 0.1 and 0.2 us after one of lower priority got their room at its "
    "expense",
    "H200: tests/gpu/stream_suite.sh (priority), 2026-11-21");
inline constexpr Long least_load(
    100'000, ns, "least_load",
    "in an export without records of code being loaded, the first launch of a kernel that takes "
    "this long, and longer than any later launch, loads it",
    "first launches take 5 to 90 us, or 105 us to 41 ms; later ones 2 to 31 us (medians)",
    "public exports of 21 releases of Nsight Systems; not measured on a GPU of ours");
inline constexpr Long longest_fault(
    1'000'000, ns, "longest_fault",
    "a page of managed memory that comes to the host so long after the host has touched it comes "
    "for another reason",
    "chosen: the driver takes some 10 us to begin, and some thousand faults may be ahead");

// Copies.

inline constexpr Long large_copy(
    1 << 20, bytes, "large_copy",
    "a copy from this on takes its time for bandwidth; what a smaller one takes is mostly latency",
    "chosen: 1 MiB takes 19 us at 55 GB/s, ten times the latency_from_host", traces);
inline constexpr Real share_of_link(
    0.88, share, "share_of_link",
    "what copies of page-locked memory reach of the specified rate of the host's link, where the "
    "trace has none of large_copy either way",
    "55.3 of 63 GB/s at best (PCIe gen 5 x16); medians are 54.5 to the device and 54.9 to the host",
    traces);
inline constexpr Real both_directions(
    0.92, share, "both_directions",
    "how fast copies between host and device go while both directions run, of what they reach "
    "alone, where the trace does not show both",
    "51.4 instead of 54.5 GB/s to the device, 49.5 instead of 54.9 to the host (medians)", traces);

// Multiprocessors and queues.

inline constexpr Long shares_of_one(
    4, times, "shares_of_one",
    "a multiprocessor uses so many times its share of the device's throughput at most",
    "1.11 times: 4 of 33 blocks of multiply-adds on 132; chosen for what reads memory: 64 B a "
    "clock from L2 at 1.98 GHz are 3.9 times a 132nd of what a copy reaches",
    "H200, driver 580.159.04, CUDA 13.0, 2026-11-22");
inline constexpr Count kernels_at_once(
    128, count, "kernels_at_once",
    "no GPU holds more kernels at once: the shape of those beyond is not believed, nor that more "
    "of one stream begin and end while another one of it runs",
    "CUDA C++ Programming Guide, maximum number of resident grids per device up to compute "
    "capability 9.0");
inline constexpr Long register_unit(256, count, "register_unit",
                                    "registers are given to a warp in such units",
                                    "CUDA occupancy calculator, compute capability 3.0 to 9.0");
inline constexpr Long system_shared_memory(
    1 << 10, bytes, "system_shared_memory",
    "shared memory that CUDA takes for itself of each block",
    "CUDA C++ Programming Guide, compute capability 8.0 to 9.0");
inline constexpr Count most_connections(
    32, count, "most_connections", "hardware queues that CUDA_DEVICE_MAX_CONNECTIONS can ask for",
    "CUDA C++ Programming Guide, environment variables", "", "whatif --fix queue-alias:N");
inline constexpr Count usual_connections(
    8, count, "usual_connections",
    "hardware queues that streams are dealt out to unless CUDA_DEVICE_MAX_CONNECTIONS asks for "
    "others; fewer streams share none",
    "CUDA C++ Programming Guide, environment variables");
inline constexpr Count internal_streams(
    5, count, "internal_streams",
    "streams that CUDA makes for itself with each context, right after its null stream",
    "STREAM records: the first stream that a program makes has an id so many above the null "
    "stream's",
    "H200: tests/gpu/collector_records.py, 2026-11-21");

// The time that recording adds on a machine without a calibration (`lapscope doctor --calibrate`).

inline constexpr Long added_to_launch(1'000, ns, "added_to_launch",
                                      "what recording adds to the launch of a kernel",
                                      "998 (794 to 1,740; medians of 12 runs) to cudaLaunchKernel",
                                      recording);
inline constexpr Long added_to_copy(
    650, ns, "added_to_copy", "the same, to a copy and to a memset",
    "638 and 692 to cudaMemcpyAsync to the device and back, 617 to cudaMemsetAsync", recording);
inline constexpr Long added_to_call(
    350, ns, "added_to_call", "the same, to any other call",
    "328 to cudaEventRecord, 359 to cudaStreamWaitEvent, 355 to cudaStreamSynchronize, 366 to "
    "cudaEventQuery, 390 each to cudaMalloc and cudaFree",
    recording);
inline constexpr Long added_to_node(900, ns, "added_to_node",
                                    "the same, to the launch of a graph, for each of its nodes",
                                    "56.5 us to cudaGraphLaunch of 64 kernels", recording);
inline constexpr Long added_to_range(150, ns, "added_to_range", "the same, to an NVTX range",
                                     "148 to nvtxRangePush and nvtxRangePop", recording);
inline constexpr Long longest_pause(
    3'000'000, ns, "longest_pause",
    "that a thread is outside calls: from longest_latency on recording adds more to its next call "
    "of a kind, and from this on what a calibration finds that it adds after so long a sleep",
    "after 20 us recording adds what it adds without a pause, after 150 us 1.6 to 2.5 times as "
    "much, after 500 us 2 to 6 times, after 3 ms 8 times, and "
    "to the first calls of threads that were woken up 8 times: cold_calls, 2026-11-23",
    recording);
inline constexpr Long wave_overhead(
    410, ns, "wave_overhead",
    "what CUPTI adds to each wave of a kernel's blocks to take the kernel's times",
    "262,144 blocks of 256 threads in 248 waves take 1,016.5 instead of 915.4 us",
    "H200: tests/bench/collector/kernel_lengths.py, 2026-11-22");

inline constexpr const Assumption* physics[] = {
    &clock_tolerance,  &clocks_apart,      &clock_step,        &most_drift,
    &longest_latency,  &start_at_once,     &latency_from_host, &latency_between_ops,
    &latency_in_graph, &quick_call,        &dealing_out,       &least_load,
    &longest_fault,    &large_copy,        &share_of_link,     &both_directions,
    &shares_of_one,    &kernels_at_once,   &register_unit,     &system_shared_memory,
    &most_connections, &usual_connections, &internal_streams,  &added_to_launch,
    &added_to_copy,    &added_to_call,     &added_to_node,     &added_to_range,
    &longest_pause,    &wave_overhead};

}  // namespace lapscope::analyzer::assumed
