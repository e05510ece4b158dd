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

// What is evaluated of a trace is decided here and nowhere else: measures, causes, predictions and
// tables share the list.
namespace lapscope::analyzer {

// A scope of one device.
struct ResolvedScope {
  ScopeKind kind = ScopeKind::device;
  std::string name;          // of the range, or the brackets; empty for others
  std::uint16_t device = 0;  // in Trace::devices
  Scope scope;
  std::vector<NvtxRange> ranges = {};  // of which it has what they issued
  std::int64_t instances = 1;
  std::optional<Issuers> issuers = {};  // of an NVTX range
  // For the steady state.
  std::vector<Ns> borders = {};       // of its iterations, where they were found on the device
  std::optional<Ns> host_begin = {};  // of the loop that it belongs to
};

// How many of Trace::impossible_ops may belong to a scope.
std::int64_t impossible_ops_of(const Trace& trace, const ResolvedScope& scope);

// A range all of whose work may be somebody else's.
struct UndecidedRange {
  std::string name;
  std::int64_t ops = 0;
};

// Everything that the evaluation of one trace shares. Refers to both.
class Context {
 public:
  // taken_off: what recording adds to calls, see fitted_costs().
  Context(const Trace& read, const AnalyzeOptions& asked, CallCosts taken_off = {});
  // The context of these scopes of an excerpt of a trace.
  Context(const Trace& excerpt, const Context& whole, std::vector<ResolvedScope> chosen);

  const Trace& trace;
  const AnalyzeOptions& options;
  const HostTimeline host;
  const std::vector<bool> communication;  // by name
  const CallCosts costs;                  // that are taken off, fitted to bare runs

  // Every device with its window, or whole, first; then what the options ask for besides: brackets,
  // ranges by name, the steady state. Scopes without ops are left out, and devices without one of
  // their own.
  std::vector<ResolvedScope> scopes;
  std::vector<UndecidedRange> undecided;   // ranges that are no scope for it
  std::vector<std::string> not_evaluated;  // names of ranges that are beyond the limits
  std::optional<SteadyState> steady;       // if it was asked for, and there is one

  // By device: the loop that it runs in its own scope, if there is one: that which the options
  // name, or one that is found. Without Iterations::host.
  std::vector<std::optional<Iterations>> loops;

 private:
  void resolve_own();
  void find_loops();
  void resolve_brackets();
  void resolve_ranges();
  void resolve_steady_state();
  void add(ResolvedScope scope);

  std::size_t own_ = 0;                                   // so many scopes are devices' own
  std::vector<std::shared_ptr<const IntervalSet>> busy_;  // by device
};

// Scopes that are one on several devices, and are explained by one graph.
using ScopeGroup = std::span<const ResolvedScope>;
std::vector<ScopeGroup> scope_groups(const std::vector<ResolvedScope>& scopes);

// When the calls were made that the graph of a group is to be of: all calls for whole devices, else
// those that issued the group's ops.
Interval graph_interval(const Trace& trace, ScopeGroup group);

// The same for explaining where time went. A window may begin with idle time. What the host did
// then is known from calls before the first one that issued something for the window: the interval
// begins with the call that each of these threads made last before the window.
Interval graph_interval_with_lead(const Trace& trace, ScopeGroup group);

}  // namespace lapscope::analyzer
