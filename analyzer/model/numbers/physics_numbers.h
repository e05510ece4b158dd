#pragma once

#include "analyzer/model/numbers/assumption.h"

// Times, limits and errors of GPUs, CUDA and recording. The source of each number is a measurement
// (with GPU and command), a document or a choice.
namespace lapscope::analyzer::assumed {

// Clocks.

inline constexpr Long clock_tolerance(
    2'000, ns, "clock_tolerance",
    "Largest difference between the clocks of host and GPU. An op may end up to this long after "
    "the return of a call that waited for it. It may end up to this long after the start of an op "
    "that waited for it",
    "chosen: the possible error of CUPTI's fit of the two clocks. In the traces, no two ops of a "
    "stream overlap",
    traces);
inline constexpr Long clocks_apart(
    50'000, ns, "clocks_apart",
    "lapscope leaves out an op that starts more than this before the call that issued it. It "
    "leaves out an op, call or NVTX range that ends more than this after the recording. Smaller "
    "differences are errors of CUPTI's fit of the two clocks",
    "chosen: in the traces, no op starts before its call or ends after the recording. On other "
    "machines, offsets of 9 us are known",
    traces);
inline constexpr Long clock_step(
    1'000'000, ns, "clock_step",
    "the system clock was set if it moved against the monotonic clock by more than this. Traces of "
    "one host name are of two machines if the times at which these started differ by more",
    "chosen: a clock that is steered and not set moves by at most 0.5 ms per second (adjtimex)");
inline constexpr Real most_drift(
    0.001, share, "most_drift",
    "largest drift between the clocks of two hosts, in ns of difference per ns",
    "chosen: a clock that is steered drifts by at most 0.5 ms per second (adjtimex)");

// Latencies.

inline constexpr Long longest_latency(
    20'000, ns, "longest_latency",
    "Longest delay that needs no cause. Up to this limit, the time from an op's last release to "
    "its start is launch latency. Time beyond the limit is unexplained. Calls can become one CUDA "
    "graph if the time from call to call is at most this. A thread that makes no call for this "
    "time pauses: it may have waited for another thread",
    "chosen: twice the measured time. From the start of cudaLaunchKernel to the kernel on an idle "
    "GPU: 9.3 us (median of 342), 5.6 us at best",
    traces);
inline constexpr Long start_at_once(
    10'000, ns, "start_at_once",
    "Time that the start of a kernel takes. A kernel that starts within this time after its "
    "release did not wait for room on the multiprocessors. An op that starts within this time "
    "after its call does not show when a host function ended. Nodes of a graph that are shorter "
    "gain nothing side by side. Advice about graphs counts gaps between kernels up to this length. "
    "A fix that saves less is no finding",
    "from the start of cudaLaunchKernel to the kernel on an idle GPU: 9.3 us (median of 342)",
    traces, "--min-saving-us");
inline constexpr Long quick_call(
    5'000, ns, "quick_call",
    "Duration of a call that only enqueues (cudaLaunchKernel, cudaMemcpyAsync). Duration of a call "
    "whose awaited work has already ended (cudaStreamSynchronize). Time until a thread's next call "
    "after a fix has moved its work to another thread. lapscope assumes these times if no launch "
    "of the trace returned before its kernel ended. Time from the return of a host function to the "
    "start of the next op",
    "launches: 5.6 us (median of 2,104). Synchronizations whose awaited work has ended: 7.0 us "
    "(median of 12)",
    traces);
inline constexpr Long dealing_out(
    1'000, ns, "dealing_out",
    "Time in which the blocks of a kernel are placed on the multiprocessors. In this time, blocks "
    "of a kernel in a stream of higher priority go first. Room that a last wave leaves for a "
    "shorter time does not count",
    "chosen: kernels that started 0.1 and 0.2 us after a kernel of lower priority took room from "
    "that kernel",
    "H200: tests/gpu/stream_suite.sh (priority), 2026-11-21");
inline constexpr Long least_load(
    100'000, ns, "least_load",
    "An export may lack records of code loads. The first launch of a kernel then loads its code if "
    "the launch takes at least this long. It must also take longer than all launches that are not "
    "first launches",
    "first launches take 5 to 90 us, or 105 us to 41 ms. Later launches take 2 to 31 us (medians)",
    "public exports of 21 releases of Nsight Systems; not measured on our own GPUs");
inline constexpr Long longest_fault(
    1'000'000, ns, "longest_fault",
    "A page of managed memory may come to the host after a host page fault. A migration that "
    "starts later than this after the fault has another reason",
    "chosen: the driver needs some 10 us to begin, and some thousand earlier faults may come "
    "first");

// Copies.

inline constexpr Long large_copy(
    1 << 20, bytes, "large_copy",
    "Bandwidth determines the duration of a copy of at least this size. The duration of a smaller "
    "copy is mostly latency",
    "chosen: 1 MiB takes 19 us at 55 GB/s, ten times the 1.9 us from a launch to its kernel",
    traces);
inline constexpr Real share_of_link(
    0.88, share, "share_of_link",
    "Share of the specified rate of the host's link that copies of page-locked memory reach. "
    "lapscope assumes it if the trace has no page-locked copy of at least large_copy",
    "55.3 of 63 GB/s at best (PCIe gen 5 x16). Medians: 54.5 GB/s to the device, 54.9 GB/s to the "
    "host",
    traces);
inline constexpr Real both_directions(
    0.92, share, "both_directions",
    "Rate of copies between host and device while both directions run, divided by their rate "
    "alone. lapscope assumes it if the trace lacks one of these rates",
    "51.4 instead of 54.5 GB/s to the device, 49.5 instead of 54.9 GB/s to the host (medians)",
    traces);

// Multiprocessors and queues.

inline constexpr Long shares_of_one(
    4, times, "shares_of_one",
    "a multiprocessor uses at most this many times its share of the device's throughput",
    "on 132 multiprocessors, 4 kernels of 33 blocks of multiply-adds take 1.11 times as long as "
    "one kernel. For kernels that read memory, the number is chosen: 64 B per clock from L2 at "
    "1.98 GHz are 3.9 times a 132nd of a copy's rate",
    "H200, driver 580.159.04, CUDA 13.0, 2026-11-22");
inline constexpr Count kernels_at_once(
    128, count, "kernels_at_once",
    "Largest number of kernels that a GPU holds at once. lapscope ignores the shapes of further "
    "kernels. It leaves out a kernel if this many kernels of its stream begin and end while it "
    "runs",
    "CUDA C++ Programming Guide, maximum number of resident grids per device up to compute "
    "capability 9.0");
inline constexpr Long register_unit(256, count, "register_unit",
                                    "a warp gets registers in multiples of this number",
                                    "CUDA occupancy calculator, compute capability 3.0 to 9.0");
inline constexpr Long system_shared_memory(
    1 << 10, bytes, "system_shared_memory", "shared memory of each block that CUDA uses itself",
    "CUDA C++ Programming Guide, compute capability 8.0 to 9.0");
inline constexpr Count most_connections(
    32, count, "most_connections",
    "largest number of hardware queues that CUDA_DEVICE_MAX_CONNECTIONS can request",
    "CUDA C++ Programming Guide, environment variables", "", "whatif --fix queue-alias:N");
inline constexpr Count usual_connections(
    8, count, "usual_connections",
    "Number of hardware queues without CUDA_DEVICE_MAX_CONNECTIONS. Up to this number of streams, "
    "no two streams share a queue",
    "CUDA C++ Programming Guide, environment variables");
inline constexpr Count internal_streams(5, count, "internal_streams",
                                        "Number of streams that CUDA makes for itself in each "
                                        "context. Their ids follow the id of the null stream",
                                        "STREAM records: this many ids lie between the null stream "
                                        "and the first stream that a program makes",
                                        "H200: tests/gpu/collector_records.py, 2026-11-21");

// The time that recording adds.

inline constexpr Long added_to_call(
    1'000, ns, "added_to_call",
    "Time that recording adds to a call, and to a graph launch for each node of the graph. "
    "lapscope assumes it on a machine without a calibration (`lapscope doctor --calibrate`)",
    "chosen: the longest of the measured times. cudaLaunchKernel: 998 ns (794 to 1,740 ns, medians "
    "of 12 runs). Node of a graph: 883 ns. Copies and memsets: 617 to 692 ns. Other calls: 328 to "
    "390 ns",
    recording);
inline constexpr Long longest_pause(
    3'000'000, ns, "longest_pause",
    "Recording adds more to a call after a pause between the calls of its thread. The longest "
    "pause since the thread's previous call of this kind counts. The added time grows from a pause "
    "of longest_latency to a pause of this length. From this length on, recording adds the time "
    "that a calibration measures after a sleep",
    "after a pause of 20 us, recording adds as much as without a pause. After 150 us it adds 1.6 "
    "to 2.5 times as much, after 500 us 2 to 6 times, after 3 ms 8 times. First calls of threads "
    "that were woken up: also 8 times (cold_calls, 2026-11-23)",
    recording);
inline constexpr Long wave_overhead(
    410, ns, "wave_overhead",
    "time that CUPTI adds to each wave of a kernel's blocks to take the times of the kernel",
    "262,144 blocks of 256 threads in 248 waves take 1,016.5 us instead of 915.4 us",
    "H200: tests/bench/collector/kernel_lengths.py, 2026-11-22");

inline constexpr const Assumption* physics[] = {
    &clock_tolerance,      &clocks_apart,     &clock_step,        &most_drift,
    &longest_latency,      &start_at_once,    &quick_call,        &dealing_out,
    &least_load,           &longest_fault,    &large_copy,        &share_of_link,
    &both_directions,      &shares_of_one,    &kernels_at_once,   &register_unit,
    &system_shared_memory, &most_connections, &usual_connections, &internal_streams,
    &added_to_call,        &longest_pause,    &wave_overhead};

}  // namespace lapscope::analyzer::assumed
