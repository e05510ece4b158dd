#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/iterations/find_iterations.h"
#include "analyzer/model/host_timeline.h"
#include "analyzer/scope/range_work.h"
#include "analyzer/scope/scope.h"

// The steady state of a program: its main work, after the set-up. It is the default scope.
namespace lapscope::analyzer {

inline constexpr std::string_view steady_state_name = "steady state";

enum class SteadyBy { profiler, iterations, range };

std::string_view name_of(SteadyBy by);

struct SteadyState {
  SteadyBy by = SteadyBy::range;
  std::int64_t instances = 0;  // brackets, evaluated iterations, or ranges
  std::int64_t warm_up = 0;    // iterations before them, which are not evaluated
  Share work_share = 0;        // of all GPU work, by the durations of ops
  // The name of the NVTX ranges that are the steady state or its iterations, with * for digits.
  // Empty for profiler brackets and for a sequence of ops.
  std::string range = {};
  std::int64_t sequence = 0;  // if a sequence of ops repeats: its number of ops
};

// The steady state on one device.
struct SteadyScope {
  Scope scope;
  std::vector<NvtxRange> ranges = {};   // the scope has the ops that they issued
  std::optional<Issuers> issuers = {};  // of the ops of these ranges
  std::vector<Ns> borders = {};         // of its iterations
};

struct FoundSteadyState {
  SteadyState state;
  std::vector<std::optional<SteadyScope>> scopes;  // by device; empty for a device without its ops
  // If the steady state is a loop, the time when the host began the loop's warm-up. The first ops
  // of the steady state may have waited for the warm-up.
  std::optional<Ns> host_begin;
};

// Returns the steady state of all devices: the first of these candidates that exists.
// - Profiler brackets: the work that is issued between cudaProfilerStart and cudaProfilerStop.
// - The loop of a device, without its warm-up. The candidate has all ops that any thread issued to
//   any device during the loop. It must have at least half of all ops.
// - NVTX ranges in the default domain. Digits in their names are ignored. A name is outermost if
//   none of its ranges lies in a range of another name. The candidate is the outermost name whose
//   ranges issue the most GPU work. They must issue at least half of the work of all outermost
//   names, and at least assumed::hardly_any of all GPU work.
// - NVTX ranges in the domains of libraries. The candidate is found in the same way, but its ranges
//   must issue at least half of all GPU work. Communication kernels do not count as work here,
//   because they mostly wait for other ranks.
//
//   setup   [ load ]
//   main              [ epoch 1 ][ epoch 2 ][ save ]     epoch *, which issues the most
//
// If the user named the loop (`is_named`), only that loop can be the steady state, even if it has
// few ops. `loops` is by device. `communication`: for each name of the trace, whether kernels of
// this name communicate.
std::optional<FoundSteadyState> find_steady_state(
    const Trace& trace, const HostTimeline& host, RangeThreads threads,
    const std::vector<bool>& communication, const std::vector<std::optional<Iterations>>& loops,
    bool is_named);

// What a program did before its steady state, or after it.
struct Rest {
  Ns ns = 0;
  // The time in which at least one thread was in a call of one cause. Loading of modules counts for
  // module-load. Times of different causes may overlap. `parts` has the longest first.
  struct Part {
    std::string_view code;
    Ns ns = 0;
  };
  std::vector<Part> parts;
};

// rest_before() returns what the program did from its first call or op until `time`. rest_after()
// returns what it did from `time` until the end of its last call or op.
Rest rest_before(const Trace& trace, Ns time);
Rest rest_after(const Trace& trace, Ns time);

}  // namespace lapscope::analyzer
