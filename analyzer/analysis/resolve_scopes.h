#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyzer/analysis/analyze.h"
#include "analyzer/analysis/steady_state.h"
#include "analyzer/intervals/units.h"
#include "analyzer/iterations/find_iterations.h"
#include "analyzer/model/host_timeline.h"
#include "analyzer/scope/scope.h"

// Decides which scopes of a trace are evaluated. Measures, causes, predictions and tables all use
// the resulting list (Context::scopes).
namespace lapscope::analyzer {

struct ResolvedScope {
  ScopeKind kind = ScopeKind::device;
  std::string name;          // of range, brackets or steady state; else empty
  std::uint16_t device = 0;  // in Trace::devices
  Scope scope;
  std::vector<NvtxRange> ranges = {};  // the scope has the ops that they issued
  std::int64_t instances = 1;
  std::optional<Issuers> issuers = {};  // of an NVTX range
  // For the steady state.
  std::vector<Ns> borders = {};       // of its iterations, if they were found on this device
  std::optional<Ns> host_begin = {};  // when the host began the loop, warm-up included
};

// Returns how many of Trace::impossible_ops may belong to a scope.
std::int64_t impossible_ops_of(const Trace& trace, const ResolvedScope& scope);

// The NVTX ranges of one name. The trace shows no op that belongs to them. Other threads issued
// `ops` ops that may belong to them.
struct UndecidedRange {
  std::string name;
  std::int64_t ops = 0;
};

// The shared data of all evaluations of a trace. Keeps references to the trace and to the options.
class Context {
 public:
  // `taken_off` is the time that recording added to each kind of call (fitted_costs()). Analyses
  // subtract it from the recorded times of calls.
  Context(const Trace& read, const AnalyzeOptions& asked, CallCosts taken_off = {});
  // Makes the context of an excerpt with the scopes `chosen`. `whole` is the context of the whole
  // trace.
  Context(const Trace& excerpt, const Context& whole, std::vector<ResolvedScope> chosen);

  const Trace& trace;
  const AnalyzeOptions& options;
  const HostTimeline host;
  const std::vector<bool> communication;  // by index in the trace's names
  const CallCosts costs;                  // of recording, which are taken off

  // First comes each device's own scope: the whole device or the window. Then come the other
  // requested scopes: profiler brackets, ranges by name, the steady state. Scopes without ops are
  // left out. A device without ops in its own scope has no scopes.
  std::vector<ResolvedScope> scopes;
  std::vector<UndecidedRange> undecided;   // these names have no scope
  std::vector<std::string> not_evaluated;  // names of ranges that are beyond the limits
  std::optional<SteadyState> steady;       // if it was asked for, and there is one

  // By device: the loop in the device's own scope. It consists of the iterations that the options
  // name, or else of detected iterations. Iterations::host is empty.
  std::vector<std::optional<Iterations>> loops;

 private:
  void resolve_own();
  void find_loops();
  void resolve_brackets();
  void resolve_ranges();
  void resolve_steady_state();
  void add(ResolvedScope scope);

  std::size_t own_ = 0;                                   // number of own scopes of devices
  std::vector<std::shared_ptr<const IntervalSet>> busy_;  // by device
};

// Scopes of the same kind and name, each on a different device. One graph explains them together.
using ScopeGroup = std::span<const ResolvedScope>;
std::vector<ScopeGroup> scope_groups(const std::vector<ResolvedScope>& scopes);

// Returns the interval from the earliest begin to the latest end of the windows of a group.
Interval window_of(ScopeGroup group);

// Returns the interval of the calls that are in the graph of a group. For whole devices, these are
// all calls. For other scopes, the interval reaches from the first to the last call that issued an
// op of the group. For a loop, the interval begins when the host began the loop's warm-up.
Interval graph_interval(const Trace& trace, ScopeGroup group);

// Returns the interval of the calls that explain the critical path and the gaps. For most scopes,
// this is graph_interval(). For a window, the interval begins earlier. It contains one more call of
// each thread that issued ops of the group: the thread's last call before the window. These calls
// explain idle time at the begin of the window.
Interval graph_interval_with_lead(const Trace& trace, ScopeGroup group);

}  // namespace lapscope::analyzer
