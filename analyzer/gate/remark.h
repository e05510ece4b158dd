#pragma once

#include <cstdint>

#include "analyzer/model/details.h"

namespace lapscope::analyzer {

// What is known of runs, judgements and comparisons besides figures; behind each its details. A run
// is called by its file, a default scope by SteadyWords::scope, "" where that is the whole run. The
// sentences are in reports/gate/remarks.cpp.
enum class RemarkKind : std::uint8_t {
  none,
  // Why runs cannot be evaluated or compared.
  unsound,                // run
  unsound_for,            // run; what is wrong with it, a sentence
  incomplete,             // run; what it lacks, a sentence; code
  made_otherwise,         // run
  same_run,               // run, run
  other_commands,         // run, run
  other_threads,          // run; whose work is a range's
  untold_scope,           // run
  not_steady,             // run
  other_scope,            // GateScope; run, its scope
  unlike_scopes,          // run, its scope; run, its scope
  impossible_ops,         // run; ops
  not_in_this_run,        // run
  few_ops,                // run; ops, at least
  other_gpus,             // GPU, GPU
  missing_work,           // run; work
  missing_range,          // as above
  missing_in_summary,     // as above
  other_communication,    // run
  no_such_work,           // run
  causes_unknown,         // run
  possible_untold,        // run
  replay_off,             // run; percent, at most
  unexplained,            // run; percent
  cause_not_recorded,     // run; cause; kinds of records
  recorder_decides,       // run
  causes_not_recorded,    // run; kinds of records
  baseline_is_run,        // run, baseline; allowance
  baseline_lacks_work,    // baseline; work
  baseline_few_ops,       // baseline; ops, at least
  baseline_other_gpu,     // GPU of the baseline, of the runs
  lost_work,              // baseline, run
  ranges_made_otherwise,  // run; whose work is a range's
  no_common_work,
  // Why a figure is not there.
  no_bare_runs,     // run
  not_calibrated,   // run
  no_host_samples,  // run
  no_measure,       // run; measure
  undefined,        // measure; run; why
  // What became of a condition.
  bound_in_spread,  // repeats
  spreads_meet,     //
  found_in_some,    // repeats, of repeats
  too_little,       // us
  only_possible,    //
  waived,           // until, why
  waiver_expired,   // until, why
  waiver_unneeded,  //
  // What changes no outcome.
  defect,                 // run; what is wrong with it, a sentence
  wall_as_recorded,       // work; ms of the corrected wall
  baseline_of_command,    // command of the baseline, of the runs
  baseline_of_driver,     // driver of the baseline, of the runs
  commands_differ,        // before, after
  drivers_differ,         // before, after
  gpus_differ,            // before, after
  corrected_before_only,  //
  corrected_after_only,   //
  findings_not_compared,  // run; kinds of records, or bare runs
  only_before,            // work
  only_after,             // work
};

struct Remark {
  RemarkKind kind = RemarkKind::none;
  Details details = {};
  bool is_of_baseline = false;

  bool empty() const { return kind == RemarkKind::none; }
  friend bool operator==(const Remark&, const Remark&) = default;
};

}  // namespace lapscope::analyzer
