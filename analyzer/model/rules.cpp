#include "analyzer/model/rules.h"

#include <algorithm>
#include <array>

namespace lapscope::analyzer {
namespace {

using rule::guide;
using rule::suite;

constexpr std::string_view implicit_sync = "H200: docs/implicit-sync.md, 2026-11-22";

// The rules of registered constraints (analyzer/graph/constraints/constraints.cpp) and of
// registered fixes (analyzer/fixes/fix_registry.cpp), one for each.
constexpr Rule registered[] = {
    {"constraint:stream-order", "a stream runs its work in the order of issue", guide},
    {"constraint:default-stream-barrier",
     "the legacy default stream waits for blocking streams, and they wait for it", guide},
    {"constraint:event-wait", "cudaStreamWaitEvent delays what comes after it", guide},
    {"constraint:copy-engine", "a copy engine runs one copy at a time", suite},
    {"constraint:small-copies", "each copy takes some us to start, whatever its size",
     "H200: docs/hardware.md, Copies, 2026-11-22"},
    {"constraint:sm-saturated",
     "a block needs threads, registers and shared memory of one multiprocessor", guide},
    {"constraint:queue-alias",
     "streams that share a hardware queue are begun in the order of issue "
     "(CUDA_DEVICE_MAX_CONNECTIONS)",
     guide},
    {"constraint:host-func", "cudaLaunchHostFunc delays what comes after it in the stream", guide},
    {"constraint:graph-edge", "a node of a graph waits for those that it depends on", guide},
    {"constraint:graph-exec-reuse", "an executable graph never runs twice at the same time",
     "H200: tests/gpu/programs/legacy_stream.cu"},
    {"constraint:host-sync", "a call that synchronizes returns when the work has ended",
     implicit_sync},
    {"constraint:pageable-copy", "pageable memory is staged by the driver while the call lasts",
     implicit_sync},
    {"constraint:alloc-free", "cudaFree returns when all running work has ended", implicit_sync},
    {"constraint:host-pinning", "cudaFreeHost returns when all running work has ended",
     implicit_sync},
    {"constraint:module-load", "lazy loading copies a kernel's code behind all work of the context",
     implicit_sync},
    {"constraint:launch-blocking", "CUDA_LAUNCH_BLOCKING: a launch returns when its kernel has",
     guide},
    {"constraint:launch-overhead", "a thread issues one thing after the other", guide},
    {"constraint:host-call", "a thread makes one call after the other", guide},
    {"fix:stream-order", "streams run beside each other", guide},
    {"fix:default-stream-barrier", "cudaStreamNonBlocking: no barrier", guide},
    {"fix:event-wait", "without cudaStreamWaitEvent nothing waits", guide},
    {"fix:copy-engine", "GPUs have an engine for each direction", guide},
    {"fix:small-copies", "one copy of all bytes is started once",
     "H200: docs/hardware.md, Copies, 2026-11-22"},
    {"fix:sm-saturated", "fewer or smaller blocks leave room, and priorities take it", guide},
    {"fix:queue-alias", "CUDA_DEVICE_MAX_CONNECTIONS asks for up to 32 queues", guide},
    {"fix:host-func", "events order streams without the host", guide},
    {"fix:graph-edge", "nodes that do not depend on each other run side by side", guide},
    {"fix:graph-exec-reuse", "two executables of one graph run side by side",
     "H200: tests/gpu/programs/legacy_stream.cu"},
    {"fix:host-sync", "calls are asynchronous unless they synchronize", guide},
    {"fix:pageable-copy", "page-locked memory is copied at the rate of the link", suite},
    {"fix:alloc-free", "memory can be allocated once, or in the order of a stream", guide},
    {"fix:host-pinning", "memory can be page-locked once", guide},
    {"fix:module-load", "CUDA_MODULE_LOADING=EAGER, or a first launch ahead", guide},
    {"fix:launch-blocking", "without CUDA_LAUNCH_BLOCKING a launch returns at once", guide},
    {"fix:launch-overhead", "a graph of many nodes is launched by one call", guide},
    {"fix:host-compute", no_fact, "another thread can do the work, and has a core for it"},
    {"fix:lock", no_fact, "threads that do the same work need no lock around calls"},
};

constexpr std::array declared = {
    &rule::began_early,
    &rule::settle_races,
    &rule::overtaken,
    &rule::place_unissued,
    &rule::polling,
    &rule::host_function_times,
    &rule::host_functions_in_turn,
    &rule::contradicted,
    &rule::collectives,
    &rule::turns,
    &rule::locks,
    &rule::value_turns,
    &rule::priorities,
    &rule::crowded,
    &rule::last_wave_overlap,
    &rule::kept_out,
    &rule::last_waves,
    &rule::shared_throughput,
    &rule::fitted_demands,
    &rule::late_begin,
    &rule::unexplained_stays,
    &rule::lost_race,
    &rule::blind_replay,
    &rule::correction,
    &rule::fitted_costs,
    &rule::cold_calls,
    &rule::recorder_doubts,
    &rule::issued_ahead,
    &rule::ran_side_by_side,
    &rule::data_on_host,
    &rule::result_unread,
    &rule::there_and_back,
    &rule::own_executable,
    &rule::separate_copies,
    &rule::open_order,
    &rule::turns_are_one_chain,
    &rule::communication_apart,
    &rule::recurring,
    &rule::beyond_replay_error,
    &rule::pairs_of_fixes,
};

std::vector<const Rule*> all_rules() {
  std::vector<const Rule*> all(declared.begin(), declared.end());
  for (const Rule& one : registered) all.push_back(&one);
  return all;
}

}  // namespace

std::span<const Rule* const> rules() {
  static const std::vector<const Rule*> all = all_rules();
  return all;
}

#ifdef LAPSCOPE_ABLATION
bool is_on(std::string_view registry, Cause cause) {
  const std::string_view code = code_of(cause);
  return std::none_of(std::begin(registered), std::end(registered), [&](const Rule& one) {
    return !one.is_on && one.name.size() == registry.size() + 1 + code.size() &&
           one.name.starts_with(registry) && one.name.ends_with(code);
  });
}
#endif

}  // namespace lapscope::analyzer
