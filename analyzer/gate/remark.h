#pragma once

#include <cstdint>

#include "analyzer/model/details.h"

namespace lapscope::analyzer {

// Kinds of remarks on runs, judgements and comparisons. The comment behind a kind lists
// Remark::details. The detail "run" is the file of the run. The detail "scope" is the
// SteadyWords::scope of a default scope; it is "" if this scope is the whole run. The sentences are
// in reports/gate/remarks.cpp.
enum class RemarkKind : std::uint8_t {
  none,
  // Why runs cannot be evaluated or compared.
  unsound,                // run
  unsound_for,            // run; a sentence about its defect
  incomplete,             // run; a sentence about the missing part; the health code
  made_otherwise,         // run
  same_run,               // run, run
  other_ranks,            // run, its rank; run, its rank
  other_commands,         // run, run
  other_threads,          // run; its --range-threads
  untold_scope,           // run
  not_steady,             // run
  other_scope,            // GateScope; run, its scope
  unlike_scopes,          // run, its scope; run, its scope
  impossible_ops,         // run; number of ops
  not_in_this_run,        // run
  few_ops,                // run; number of ops, least number
  other_gpus,             // GPU, GPU
  missing_work,           // run; work
  missing_range,          // run; work
  missing_in_summary,     // run; work
  other_communication,    // run
  no_such_work,           // run
  causes_unknown,         // run
  possible_untold,        // run
  replay_off,             // run; percent, greatest percent
  unexplained,            // run; percent
  cause_not_recorded,     // run; cause; kinds of records
  recorder_decides,       // run
  range_decides,          // run
  ranks_not_joined,       // run
  waits_unexplained,      // run; percent
  ranks_not_known,        // run; percent
  causes_not_recorded,    // run; kinds of records
  baseline_is_run,        // run, baseline; allowance
  baseline_lacks_rank,    // file of the baseline; rank of the runs
  baseline_lacks_work,    // baseline; work
  baseline_few_ops,       // baseline; number of ops, least number
  baseline_other_gpu,     // GPU of the baseline, GPU of the runs
  lost_work,              // baseline, run
  ranges_made_otherwise,  // run; its --range-threads
  no_common_work,
  // Why a value is missing.
  no_bare_runs,     // run
  not_calibrated,   // run
  no_host_samples,  // run
  no_measure,       // run; measure
  undefined,        // measure; run; reason
  // Why a condition has its outcome.
  bound_in_spread,  // number of repeats
  spreads_meet,     //
  found_in_some,    // number of repeats that have the finding; number of all repeats
  too_little,       // least saving of a finding, in us
  only_possible,    //
  waived,           // last day, reason of the waiver
  waiver_expired,   // last day, reason of the waiver
  waiver_unneeded,  //
  // Notes, which change no outcome.
  defect,                 // run; a sentence about its defect
  wall_as_recorded,       // work; ms of the corrected wall
  baseline_of_command,    // command of the baseline, command of the runs
  baseline_of_driver,     // driver of the baseline, driver of the runs
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
