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
    {"constraint:event-wait", "cudaStreamWaitEvent delays later work of its stream", guide},
    {"constraint:copy-engine", "a copy engine runs one copy at a time", suite},
    {"constraint:small-copies", "each copy takes a few us to start, whatever its size",
     "H200: docs/hardware.md, Copies, 2026-11-22"},
    {"constraint:sm-saturated",
     "a block needs threads, registers and shared memory of one multiprocessor", guide},
    {"constraint:queue-alias",
     "a hardware queue begins the work of its streams in the order of issue "
     "(CUDA_DEVICE_MAX_CONNECTIONS)",
     guide},
    {"constraint:host-func", "cudaLaunchHostFunc delays later work of its stream", guide},
    {"constraint:graph-edge", "a node of a graph waits for the nodes that it depends on", guide},
    {"constraint:graph-exec-reuse", "an executable graph never runs twice at the same time",
     "H200: tests/gpu/programs/legacy_stream.cu"},
    {"constraint:host-sync", "a call that synchronizes returns when the awaited work has ended",
     implicit_sync},
    {"constraint:pageable-copy", "the driver stages pageable memory during the call",
     implicit_sync},
    {"constraint:alloc-free", "cudaFree returns when all running work has ended", implicit_sync},
    {"constraint:host-pinning", "cudaFreeHost returns when all running work has ended",
     implicit_sync},
    {"constraint:module-load",
     "with lazy loading, the code of a kernel is copied after all earlier work of the context",
     implicit_sync},
    {"constraint:launch-blocking",
     "with CUDA_LAUNCH_BLOCKING, a launch returns when its kernel has ended", guide},
    {"constraint:launch-overhead", "a thread issues work with one call after the other", guide},
    {"constraint:host-call", "a thread makes one call after the other", guide},
    {"fix:stream-order", "work of different streams can run side by side", guide},
    {"fix:default-stream-barrier",
     "a stream with cudaStreamNonBlocking has no barrier with the legacy default stream", guide},
    {"fix:event-wait", "without cudaStreamWaitEvent, a stream does not wait for the event", guide},
    {"fix:copy-engine", "GPUs have a copy engine for each direction", guide},
    {"fix:small-copies", "one copy of all bytes starts only once",
     "H200: docs/hardware.md, Copies, 2026-11-22"},
    {"fix:sm-saturated",
     "Fewer or smaller blocks leave room. Streams of higher priority get this room first", guide},
    {"fix:queue-alias", "CUDA_DEVICE_MAX_CONNECTIONS can request up to 32 queues", guide},
    {"fix:host-func", "events order streams without the host", guide},
    {"fix:graph-edge", "nodes of a graph that do not depend on each other can run side by side",
     guide},
    {"fix:graph-exec-reuse", "two executables of one graph can run side by side",
     "H200: tests/gpu/programs/legacy_stream.cu"},
    {"fix:host-sync", "calls are asynchronous unless they synchronize", guide},
    {"fix:pageable-copy", "page-locked memory is copied at the rate of the link", suite},
    {"fix:alloc-free", "a program can allocate memory once, or in stream order", guide},
    {"fix:host-pinning", "a program can page-lock memory once", guide},
    {"fix:module-load",
     "CUDA_MODULE_LOADING=EAGER or an earlier first launch loads the code in advance", guide},
    {"fix:launch-blocking", "without CUDA_LAUNCH_BLOCKING, a launch returns at once", guide},
    {"fix:launch-overhead", "one call launches a graph of many nodes", guide},
    {"fix:host-compute", no_fact,
     "another thread can do the work, and a core is free for this thread"},
    {"fix:lock", no_fact, "threads that do the same work need no lock around their calls"},
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
