#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "analyzer/model/cause.h"
#include "analyzer/model/numbers/assumption.h"

// Rules: assumptions about a program, CUDA or the hardware. Assumed numbers are not rules. A new
// rule names the fact that it rests on. It must improve results for recordings from which it was
// not derived (docs/extending.md, "A rule or a number of the model").
namespace lapscope::analyzer {

struct Rule {
  std::string_view name;            // of the constant; for registries, constraint:CODE or fix:CODE
  std::string_view fact;            // of CUDA or of the hardware; no_fact if none is known
  std::string_view source;          // of the fact, or why the rule is thought to hold
  std::string_view made_with = "";  // the programs that led to the rule, if known; no proof
  LAPSCOPE_ABLATED bool is_on = true;

  constexpr operator bool() const { return is_on; }
};

// Returns all rules. The rules of registries come last.
std::span<const Rule* const> rules();

inline constexpr std::string_view no_fact = "none known";

namespace rule {

inline constexpr std::string_view guide = "CUDA C++ Programming Guide";
inline constexpr std::string_view suite = "H200: tests/gpu/stream_suite.sh, 2026-11-21";
inline constexpr std::string_view side_by_side =
    "H200: docs/hardware.md, Kernels beside each other, 2026-11-22";

// Events that were not recorded.

inline constexpr Rule began_early{
    "began_early",
    "With programmatic dependent launch, a kernel can begin before the previous kernel of its "
    "stream ends. The early kernel waits for this end by itself",
    guide, "pageable-conv-train"};
inline constexpr Rule settle_races{"settle_races",
                                   "If calls of several threads overlap, CUDA decides the order of "
                                   "their ops. A stream runs its ops in this order",
                                   guide, "sort-service"};
inline constexpr Rule overtaken{"overtaken",
                                "If an op runs behind another op of its stream, it was issued "
                                "later. Its call may have begun earlier",
                                guide, "sort-service"};
inline constexpr Rule place_unissued{"place_unissued",
                                     "A stream runs ops in the order of issue. An op without a "
                                     "call was issued before the ops that ran behind it",
                                     guide};
inline constexpr Rule polling{
    "polling",
    "a thread that repeats a query (cudaEventQuery) until the answer is yes waits until then",
    guide};
inline constexpr Rule host_function_times{
    "host_function_times",
    "the next op of a stream starts when the host function ahead of it has returned", guide};
inline constexpr Rule host_functions_in_turn{
    "host_functions_in_turn", "one thread of the driver runs all host functions of a process",
    suite};
inline constexpr Rule contradicted{
    "contradicted", "an op that began before another op ended did not wait for this end", guide};
inline constexpr Rule collectives{
    "collectives", "the kernels of a collective spin until the kernels on all devices run",
    "H100: docs/hardware.md, Collectives", "nccl-all-reduce"};

// Threads that wait for each other.

inline constexpr Rule turns{"turns", no_fact,
                            "CUPTI records no locks. Threads wait for each other if their calls "
                            "overlap far less often than by chance",
                            "cupy-residual-large, jax-read-loss-large, lock-around-waits, "
                            "lock-of-one-queue, lock-in-a-pool, results-by-a-thread"};
inline constexpr Rule locks{
    "locks", no_fact,
    "if two threads take turns and do the same work, a lock probably keeps them apart",
    "lock-around-waits, lock-of-one-queue, lock-in-a-pool"};

// Room on the multiprocessors.

inline constexpr Rule priorities{
    "priorities", "blocks of a stream of higher priority are scheduled first", guide};
inline constexpr Rule crowded{
    "crowded",
    "Blocks are placed one by one. A kernel starts with the blocks that find room. A kernel of "
    "higher priority takes room from a kernel whose blocks are still being placed",
    suite};
inline constexpr Rule last_wave_overlap{
    "last_wave_overlap",
    "Blocks end one by one. Another kernel starts when the first of them leave room", suite};
inline constexpr Rule kept_out{
    "kept_out", "the blocks of a cluster need multiprocessors of one hardware cluster (GPC)", guide,
    "nccl-all-reduce"};
inline constexpr Rule last_waves{"last_waves",
                                 "in the last wave of a kernel's blocks, some multiprocessors may "
                                 "have no block (wave quantization)",
                                 "Matrix Multiplication Background User's Guide"};
inline constexpr Rule shared_throughput{
    "shared_throughput", "kernels that run side by side share issue slots and memory bandwidth",
    side_by_side};
inline constexpr Rule fitted_demands{
    "fitted_demands",
    "the durations of a kernel alone and beside other kernels show its share of the throughput",
    side_by_side};

// Latencies of a replay.

inline constexpr Rule late_begin{
    "late_begin", no_fact, "by definition: a delay of the first op is over when the scope begins"};
inline constexpr Rule unexplained_stays{
    "unexplained_stays", no_fact,
    "No record shows that a fix ends a delay without a known cause. A replay without this delay "
    "would count it as saved"};
inline constexpr Rule lost_race{"lost_race", no_fact,
                                "a few us decide which of two kernels is ready first"};
inline constexpr Rule blind_replay{
    "blind_replay", no_fact,
    "a replay with all recorded times is right by construction, so it does not test the model"};

// Time that recording added.

inline constexpr Rule correction{
    "correction", "CUPTI makes each call longer by the time that a calibration measures",
    "H200: tests/bench/collector/record_kinds.py, 2026-11-22"};
inline constexpr Rule fitted_costs{"fitted_costs", no_fact,
                                   "recorded calls took longer in slow processes of a machine"};
inline constexpr Rule cold_calls{"cold_calls", "recording adds more time to a call after a pause",
                                 "H200: cold_calls, 2026-11-23"};
inline constexpr Rule recorder_doubts{"recorder_doubts", no_fact,
                                      "a finding that recording itself may cause is not certain"};

// Work that may run at the same time.

inline constexpr Rule issued_ahead{
    "issued_ahead",
    "if an op was issued before the op ahead ended, the host lacked the result of the op ahead",
    guide};
inline constexpr Rule ran_side_by_side{
    "ran_side_by_side", "an op that began before another op ended did not need this end", guide};
inline constexpr Rule data_on_host{
    "data_on_host", "the data of a copy to the device are on the host when the copy is issued",
    guide, "no-prefetch"};
inline constexpr Rule result_unread{
    "result_unread", "a copy to the host changes nothing on the device", guide, "results-out"};
inline constexpr Rule there_and_back{
    "there_and_back",
    "A copy changes no byte. A copy back directly after it brings the bytes that are already there",
    guide};
inline constexpr Rule own_executable{
    "own_executable",
    "An executable graph never runs twice at the same time. A program makes two executables so "
    "that they can run side by side",
    "H200: tests/gpu/programs/legacy_stream.cu"};
inline constexpr Rule separate_copies{
    "separate_copies",
    "A copy reads no data that a copy in the same direction has written. A copy to the host reads "
    "no data that a copy to the device has written",
    guide};
inline constexpr Rule open_order{
    "open_order", "kernels of several streams run side by side while multiprocessors are free",
    guide, "qkv-one-stream"};
inline constexpr Rule turns_are_one_chain{
    "turns_are_one_chain", no_fact,
    "if two threads take turns, one of them needs results of the other", "ddp, ddp-large"};
inline constexpr Rule communication_apart{
    "communication_apart", no_fact,
    "the next layer need not wait for data that a collective reduces"};
inline constexpr Rule recurring{
    "recurring", no_fact,
    "work that a program does only once is necessary, whatever the loop does"};

// Rules that select and sort findings.

inline constexpr Rule beyond_replay_error{
    "beyond_replay_error", no_fact,
    "a replay cannot show a saving that is smaller than its own error"};
inline constexpr Rule pairs_of_fixes{
    "pairs_of_fixes", no_fact, "two fixes together may save time that neither fix saves alone",
    "simpleMultiCopy"};

}  // namespace rule

// Whether an entry of a registry is switched on. `registry`: "constraint" or "fix".
#ifdef LAPSCOPE_ABLATION
bool is_on(std::string_view registry, Cause cause);
#else
constexpr bool is_on(std::string_view, Cause) { return true; }
#endif

// Returns the entries of a registry that are switched on.
template <class Entry>
std::span<const Entry* const> those_on([[maybe_unused]] std::string_view registry,
                                       std::span<const Entry* const> all) {
#ifdef LAPSCOPE_ABLATION
  static const std::vector<const Entry*> some = [&] {
    std::vector<const Entry*> on;
    for (const Entry* one : all) {
      if (is_on(registry, one->cause)) on.push_back(one);
    }
    return on;
  }();
  return some;
#else
  return all;
#endif
}

}  // namespace lapscope::analyzer
