#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/steady_state.h"
#include "analyzer/measures/measure.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/cause.h"
#include "analyzer/model/names.h"
#include "analyzer/ranks/run_result.h"
#include "analyzer/scope/range_work.h"

// Gates as plain values. They come from the command line or from a gate file.
namespace lapscope::analyzer {

using Date = std::chrono::year_month_day;

// Where a condition is written, for messages about it.
struct Place {
  std::string file;          // empty: on the command line
  std::uint32_t line = 0;    // from 1; 0 on the command line
  std::uint32_t column = 0;  // from 1, in bytes
};

enum class Sense { at_least, at_most };

// The least or greatest allowed value of a measure, such as "min copy_hidden".
struct Bound {
  const Measure* measure = nullptr;
  Sense sense = Sense::at_least;
  double value = 0;  // ns or ratio, by the measure's unit
  Place place;
};

// A condition such as "forbid default-stream-barrier". The condition fails if the fix of the cause
// would save more than is allowed.
struct Ban {
  Cause cause = Cause::unexplained;
  // The greatest allowed saving, as a share of the wall time. A larger share fails even if the
  // saved time is below CauseOptions::least_saving_ns. If empty, every finding about the cause
  // fails.
  std::optional<double> allowed;
  Place place;
};

// A condition on all ranks of a run together, such as "forbid straggler". A run is a folder of
// traces.
struct RunBan {
  RunCause cause = RunCause::straggler;
  std::optional<double> allowed;  // as Ban::allowed, but as a share of the run's window
  Place place;
};

// By how much a measure may be worse than in the baseline. Of the relative and the absolute
// tolerance, the larger one applies.
struct Tolerance {
  double relative = 0;  // as a share of the baseline's value
  double ratio = 0;     // absolute, for ratios
  double ns = 0;        // absolute, for times, in ns
};

// The default tolerance is a convention. docs/ci.md describes how to measure a program's tolerance.
inline constexpr Tolerance usual_tolerance = {assumed::tolerance.number,
                                              assumed::ratio_tolerance.number, 0};

// Conditions such as "baseline wall", one for each of `measures`. The measure may be worse than in
// the baseline by at most the tolerance.
struct Baseline {
  std::string file;  // a trace or a summary
  std::vector<const Measure*> measures = {&overlap_ratio, &idle_ratio, &wall};
  Tolerance tolerance = usual_tolerance;
  Place place;
};

// Until a date, a condition that fails counts as waived.
struct Waiver {
  std::string condition;  // as "max idle_ratio"
  std::string reason;
  Date until;  // the last day
  Place place;
};

// Problems that a gate can allow. Runs with a problem that the gate does not allow are not
// evaluated. `same_run` means that the baseline is one of the runs. All other entries are codes of
// health rows, and mean that a run is incomplete.
inline constexpr std::string_view same_run = "same-run";
inline constexpr std::array<std::string_view, 4> allowances = {"cut-off", "still-running",
                                                               "yielded", same_run};

// The scopes that a gate can name: a whole device, or the default scope, which `analyze` shows. All
// values but `whole` require that the default scope was found in a certain way. If it was not found
// in this way, the conditions are inconclusive.
enum class GateScope {
  steady,      // any steady state
  profiler,    // the profiler brackets (SteadyBy::profiler)
  iterations,  // the loop (SteadyBy::iterations)
  range,       // an NVTX range (SteadyBy::range)
  whole,       // all of a device, whatever its default scope is
};

inline constexpr std::array gate_scopes = {GateScope::steady, GateScope::profiler,
                                           GateScope::iterations, GateScope::range,
                                           GateScope::whole};

std::string_view name_of(GateScope scope);

// The ranks of a run for which the conditions on single ranks must hold.
enum class OverRanks { all, worst, median };
inline constexpr std::array over_ranks_choices = {OverRanks::all, OverRanks::worst,
                                                  OverRanks::median};
std::string_view name_of(OverRanks over);

// Conditions that are evaluated over the same work.
struct Gate {
  std::string name;
  Place place;

  // The work to evaluate: NVTX ranges whose names match `ranges`, profiler brackets, and `scope`.
  // If none is set, the work is the default scope.
  std::vector<std::string> ranges;
  bool profiler_brackets = false;
  std::optional<GateScope> scope;
  std::optional<std::int64_t> device;  // if empty, every device with work

  std::vector<std::string> traces;  // files to evaluate; if empty, those on the command line

  std::vector<Bound> bounds;
  std::vector<Ban> bans;
  std::vector<RunBan> run_bans;
  OverRanks over = OverRanks::all;
  bool forbids_possible = false;  // bans also apply to questions
  std::optional<Baseline> baseline;
  std::vector<Waiver> waivers;

  std::int64_t least_ops = 2;                            // with one op, there is no overlap
  double most_replay_error = assumed::most_unaccounted;  // above this error, bans are inconclusive
  bool allow_other_gpu = false;
  bool allow_other_command = false;
  std::set<std::string, std::less<>> allowed;  // some of `allowances`

  RangeThreads range_threads = RangeThreads::helpers;
  std::vector<std::string> communication = default_communication_patterns();
};

// Whether the gate has conditions on single traces. Conditions on all ranks together (RunBan) do
// not count.
inline bool judges_traces(const Gate& gate) {
  return !gate.bounds.empty() || !gate.bans.empty() || gate.baseline.has_value();
}

inline bool judges_whole(const Gate& gate) { return gate.scope == GateScope::whole; }

inline bool judges_default(const Gate& gate) {
  if (gate.scope) return gate.scope != GateScope::whole;
  return gate.ranges.empty() && !gate.profiler_brackets;
}

// Return the text of a condition, such as "min copy_hidden", "forbid event-wait" or "baseline
// wall".
std::string name_of(const Bound& bound);
std::string name_of(const Ban& ban);
std::string name_of(const RunBan& ban);
std::string baseline_name(const Measure& measure);

// Returns a date as text, such as "2026-12-31".
std::string text_of(const Date& date);

struct GateFault {
  std::string sentence;
  Place place;
};

// Returns the first of these errors in a gate, or nothing if there is none:
// - The gate has no condition.
// - Two bounds contradict each other.
// - The gate forbids a cause that is always a question (is_question()), but it does not forbid
//   questions.
// - A waiver names a condition that the gate does not have.
std::optional<GateFault> check_gate(const Gate& gate);

}  // namespace lapscope::analyzer
