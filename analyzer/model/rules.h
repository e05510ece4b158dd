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

// Rules that infer events without a record.

inline constexpr Rule began_early{
    "began_early",
    "with programmatic dependent launch a kernel begins before the one ahead of it in its stream "
    "has ended, and waits for that by itself",
    guide, "pageable-conv-train"};
inline constexpr Rule settle_races{
    "settle_races",
    "of threads whose calls last at the same time that goes first which comes first in CUDA, and a "
    "stream runs in that order",
    guide, "sort-service"};
inline constexpr Rule overtaken{
    "overtaken", "likewise: an op behind one that was issued later was issued behind that", guide,
    "sort-service"};
inline constexpr Rule place_unissued{
    "place_unissued",
    "a stream runs in the order of issue, so that an op without a call was issued before those "
    "that ran behind it",
    guide};
inline constexpr Rule polling{
    "polling", "a query that is answered yes was a wait until then (cudaEventQuery)", guide};
inline constexpr Rule host_function_times{
    "host_function_times",
    "what follows a host function in its stream starts when that has returned", guide};
inline constexpr Rule host_functions_in_turn{
    "host_functions_in_turn", "one thread of the driver runs all host functions of a process",
    suite};
inline constexpr Rule contradicted{
    "contradicted", "what began before another one had ended did not wait for that end", guide};
inline constexpr Rule collectives{"collectives",
                                  "the kernels of a collective spin until those of all devices run",
                                  "H100: docs/hardware.md, Collectives", "nccl-all-reduce"};

// Threads that wait for each other.

inline constexpr Rule turns{"turns", no_fact,
                            "CUPTI records no locks: that calls never meet by chance",
                            "cupy-residual-large, jax-read-loss-large, lock-around-waits, "
                            "lock-of-one-queue, lock-in-a-pool, "
                            "results-by-a-thread"};
inline constexpr Rule locks{"locks", no_fact,
                            "threads that do the same work are taken to be kept apart by a lock",
                            "lock-around-waits, lock-of-one-queue, lock-in-a-pool"};
inline constexpr Rule value_turns{"value_turns", no_fact, "JAX reads values by a thread of its own",
                                  "cupy-residual-large, jax-read-loss-large, results-by-a-thread"};

// Room on the multiprocessors.

inline constexpr Rule priorities{
    "priorities", "blocks of a stream of higher priority are scheduled first", guide};
inline constexpr Rule crowded{
    "crowded",
    "blocks are placed one by one: a kernel starts with those that find room, and one of higher "
    "priority takes room from one whose blocks are still placed",
    suite};
inline constexpr Rule last_wave_overlap{
    "last_wave_overlap", "blocks end one by one: another kernel starts when the first leave room",
    suite};
inline constexpr Rule kept_out{
    "kept_out", "blocks of a cluster need multiprocessors of one cluster of the hardware (GPC)",
    guide, "nccl-all-reduce"};
inline constexpr Rule last_waves{
    "last_waves",
    "in the last round of a kernel's blocks not all multiprocessors have one (wave quantization)",
    "Matrix Multiplication Background User's Guide"};
inline constexpr Rule shared_throughput{
    "shared_throughput", "kernels beside each other share issue slots and the bandwidth of memory",
    side_by_side};
inline constexpr Rule fitted_demands{
    "fitted_demands", "what a kernel takes alone and beside its own says what share it uses",
    side_by_side};

// Latencies of a replay.

inline constexpr Rule late_begin{
    "late_begin", no_fact, "what delayed the first op is over when a scope begins: by definition"};
inline constexpr Rule unexplained_stays{
    "unexplained_stays", no_fact,
    "no record shows that a fix ends a delay which nothing explains: left out, it would count as "
    "saved"};
inline constexpr Rule lost_race{"lost_race", no_fact,
                                "which of two kernels is ready first is decided within a few us"};
inline constexpr Rule blind_replay{
    "blind_replay", no_fact, "a replay that puts back what was seen is right by construction"};

// Time that recording added.

inline constexpr Rule correction{"correction",
                                 "CUPTI makes each call longer by what a calibration measures",
                                 "H200: tests/bench/collector/record_kinds.py, 2026-11-22"};
inline constexpr Rule fitted_costs{"fitted_costs", no_fact,
                                   "slow processes of a machine took longer for each call"};
inline constexpr Rule cold_calls{"cold_calls", "recording adds more to a call after a pause",
                                 "H200: cold_calls, 2026-11-23"};
inline constexpr Rule recorder_doubts{"recorder_doubts", no_fact,
                                      "what shows in one of two runs alone is not known"};

// Work that may run at the same time.

inline constexpr Rule issued_ahead{
    "issued_ahead",
    "what was issued before the op ahead had ended was issued without its result on the host",
    guide};
inline constexpr Rule ran_side_by_side{
    "ran_side_by_side", "what began before another one had ended did not need its end", guide};
inline constexpr Rule data_on_host{"data_on_host",
                                   "the data of a copy in are on the host when it is issued", guide,
                                   "no-prefetch"};
inline constexpr Rule result_unread{
    "result_unread", "a copy to the host changes nothing on the device", guide, "results-out"};
inline constexpr Rule there_and_back{
    "there_and_back", "a copy changes no byte: sent back at once, it would bring what is there",
    guide};
inline constexpr Rule own_executable{
    "own_executable",
    "an executable graph never runs twice at the same time: two are made to run side by side",
    "H200: tests/gpu/programs/legacy_stream.cu"};
inline constexpr Rule separate_copies{
    "separate_copies", "a copy reads nothing that one the same way, or one in, has written", guide};
inline constexpr Rule open_order{
    "open_order", "kernels of several streams run side by side while multiprocessors are free",
    guide, "qkv-one-stream"};
inline constexpr Rule turns_are_one_chain{"turns_are_one_chain", no_fact,
                                          "of threads that take turns one needs the other",
                                          "ddp, ddp-large"};
inline constexpr Rule communication_apart{
    "communication_apart", no_fact, "what is reduced need not be waited for by the next layer"};
inline constexpr Rule recurring{"recurring", no_fact,
                                "what is done once has to be done whatever the loop looks like"};

// Rules that select and sort findings.

inline constexpr Rule beyond_replay_error{"beyond_replay_error", no_fact,
                                          "a replay shows nothing smaller than its own error"};
inline constexpr Rule pairs_of_fixes{"pairs_of_fixes", no_fact,
                                     "two fixes may bring what neither does", "simpleMultiCopy"};

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
