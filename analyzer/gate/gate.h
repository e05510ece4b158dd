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

// What a team demands of its runs, as plain values: made from the command line or a gate file.
namespace lapscope::analyzer {

using Date = std::chrono::year_month_day;

// Where a condition was written, for those who have to change it.
struct Place {
  std::string file;          // empty: on the command line
  std::uint32_t line = 0;    // from 1; 0 on the command line
  std::uint32_t column = 0;  // from 1, in bytes
};

enum class Sense { at_least, at_most };

// "min copy_hidden": what a measure has to be at least, or at most.
struct Bound {
  const Measure* measure = nullptr;
  Sense sense = Sense::at_least;
  double value = 0;  // ns or ratio, by the measure's unit
  Place place;
};

// "forbid default-stream-barrier": that nothing of this cause could be put right.
struct Ban {
  Cause cause = Cause::unexplained;
  // Share of the wall time that its fix may save, however little; empty: as much as is no finding
  // yet (CauseOptions).
  std::optional<double> allowed;
  Place place;
};

// "forbid straggler": that nothing of this cause delays the ranks of a run, which is a folder.
struct RunBan {
  RunCause cause = RunCause::straggler;
  std::optional<double> allowed;  // as of Ban, of the run's window
  Place place;
};

// By how much a measure may be worse than in the baseline: whichever is more.
struct Tolerance {
  double relative = 0;  // of the baseline's value
  double ratio = 0;     // for ratios
  double ns = 0;        // for times
};

// A convention, not a measurement: docs/ci.md describes how to find one's own.
inline constexpr Tolerance usual_tolerance = {assumed::tolerance.number,
                                              assumed::ratio_tolerance.number, 0};

// "baseline wall": how a measure has to compare with what it was. One for each of `measures`.
struct Baseline {
  std::string file;  // a trace or a summary
  std::vector<const Measure*> measures = {&overlap_ratio, &idle_ratio, &wall};
  Tolerance tolerance = usual_tolerance;
  Place place;
};

// A condition that may fail for now.
struct Waiver {
  std::string condition;  // as "max idle_ratio"
  std::string reason;
  Date until;  // the last day
  Place place;
};

// What keeps runs from being evaluated unless a gate allows it: codes of health rows of a run that
// is not all there, and a baseline that is the very run that is evaluated.
inline constexpr std::string_view same_run = "same-run";
inline constexpr std::array<std::string_view, 4> allowances = {"cut-off", "still-running",
                                                               "yielded", same_run};

// The scopes that a gate can name. All but `whole` are the default scope, which is what `analyze`
// shows where nothing is named, and say what it has to be: runs of which it is something else are
// inconclusive.
enum class GateScope {
  steady,      // any steady state, and not the whole for want of one
  profiler,    // a steady state by this: see SteadyBy
  iterations,  // likewise
  range,       // likewise
  whole,       // all of a device, whatever its default scope is
};

inline constexpr std::array gate_scopes = {GateScope::steady, GateScope::profiler,
                                           GateScope::iterations, GateScope::range,
                                           GateScope::whole};

std::string_view name_of(GateScope scope);

// On which ranks of a folder the conditions on single ranks must hold.
enum class OverRanks { all, worst, median };
inline constexpr std::array over_ranks_choices = {OverRanks::all, OverRanks::worst,
                                                  OverRanks::median};
std::string_view name_of(OverRanks over);

// Conditions that are evaluated over the same work.
struct Gate {
  std::string name;
  Place place;

  // The work of these NVTX ranges (patterns), of profiler brackets, and of this scope; the default
  // scope when none of them is named.
  std::vector<std::string> ranges;
  bool profiler_brackets = false;
  std::optional<GateScope> scope;
  std::optional<std::int64_t> device;  // every device with work when empty

  std::vector<std::string> traces;  // files to evaluate; empty: those that the command was given

  std::vector<Bound> bounds;
  std::vector<Ban> bans;
  std::vector<RunBan> run_bans;
  OverRanks over = OverRanks::all;
  bool forbids_possible = false;  // bans apply to what questions leave possible, too
  std::optional<Baseline> baseline;
  std::vector<Waiver> waivers;

  std::int64_t least_ops = 2;                            // one op cannot overlap with anything
  double most_replay_error = assumed::most_unaccounted;  // beyond it, findings are not relied on
  bool allow_other_gpu = false;
  bool allow_other_command = false;
  std::set<std::string, std::less<>> allowed;  // of `allowances`

  RangeThreads range_threads = RangeThreads::helpers;
  // Patterns of the kernels that count as communication.
  std::vector<std::string> communication = default_communication_patterns();
};

// Whether it demands anything of a trace, or of each rank alone.
inline bool judges_traces(const Gate& gate) {
  return !gate.bounds.empty() || !gate.bans.empty() || gate.baseline.has_value();
}

inline bool judges_whole(const Gate& gate) { return gate.scope == GateScope::whole; }

inline bool judges_default(const Gate& gate) {
  if (gate.scope) return gate.scope != GateScope::whole;
  return gate.ranges.empty() && !gate.profiler_brackets;
}

// "min copy_hidden", "forbid event-wait", "baseline wall": how conditions are named everywhere.
std::string name_of(const Bound& bound);
std::string name_of(const Ban& ban);
std::string name_of(const RunBan& ban);
std::string baseline_name(const Measure& measure);

// "2026-12-31"
std::string text_of(const Date& date);

// What is wrong with the gate as a whole, and where.
struct GateFault {
  std::string sentence;
  Place place;
};

// Reports a gate without conditions, a ban that only questions could break in a gate that does not
// forbid questions, bounds that contradict each other, a waiver of what is not demanded. Empty when
// there is nothing of that kind.
std::optional<GateFault> check_gate(const Gate& gate);

}  // namespace lapscope::analyzer
