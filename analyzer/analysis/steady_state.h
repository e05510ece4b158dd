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

// What a program is for, once its set-up is done: what is evaluated when nothing else was asked
// for.
namespace lapscope::analyzer {

// The name under which it is reported.
inline constexpr std::string_view steady_state_name = "steady state";

// What the steady state is known by.
enum class SteadyBy { profiler, iterations, range };

std::string_view name_of(SteadyBy by);

struct SteadyState {
  SteadyBy by = SteadyBy::range;
  std::int64_t instances = 0;  // brackets, iterations that are evaluated, or ranges
  std::int64_t warm_up = 0;    // iterations before them, which are not evaluated
  Share work_share = 0;        // of all GPU work, by the durations of ops
  // The NVTX range that it is, or that repeats, digits as *; empty of brackets and of a sequence.
  std::string range = {};
  std::int64_t sequence = 0;  // the ops that repeat, of a sequence
};

// The steady state on one device.
struct SteadyScope {
  Scope scope;
  std::vector<NvtxRange> ranges = {};   // of which it has what they issued
  std::optional<Issuers> issuers = {};  // of those
  std::vector<Ns> borders = {};         // of its iterations
};

struct FoundSteadyState {
  SteadyState state;
  std::vector<std::optional<SteadyScope>> scopes;  // by device; empty where it has no ops
  // When the host began what it is a part of: of a loop with its warm-up, which its first ops may
  // have waited for.
  std::optional<Ns> host_begin;
};

// Returns the first of the following that exists, one for all devices together:
// - what is issued between cudaProfilerStart and cudaProfilerStop, if that is GPU work at all;
// - the loop of a device, with what any thread or device does meanwhile, if that is half of all
//   ops or more; without its warm-up;
// - the NVTX ranges of the default domain that lie in no other, of one name but for digits, that
//   hold half of the GPU work that such ranges hold, and assumed::hardly_any of all;
// - the same of other domains, which libraries have, if they hold half of all GPU work.
//
//   setup   [ load ]
//   main              [ epoch 1 ][ epoch 2 ][ save ]     epoch *, which holds the most
//
// Where the loop was named (`is_named`), it is the steady state, whatever it holds. `loops`: by
// device.
std::optional<FoundSteadyState> find_steady_state(
    const Trace& trace, const HostTimeline& host, RangeThreads threads,
    const std::vector<std::optional<Iterations>>& loops, bool is_named);

// What a program did before its steady state, or after it.
struct Rest {
  Ns ns = 0;
  // For how long any thread was in calls of each cause, most time first. Such times may overlap.
  struct Part {
    std::string_view code;
    Ns ns = 0;
  };
  std::vector<Part> parts;
};

// From the first call or op of the trace on, or up to the last.
Rest rest_before(const Trace& trace, Ns time);
Rest rest_after(const Trace& trace, Ns time);

}  // namespace lapscope::analyzer
