#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/explain/path_stretches.h"
#include "analyzer/explain/sites.h"
#include "analyzer/findings/advice.h"
#include "analyzer/findings/validity.h"
#include "analyzer/host_time/host_time.h"
#include "analyzer/independence/grounds.h"
#include "analyzer/intervals/interval_set.h"
#include "analyzer/intervals/units.h"
#include "analyzer/measures/demand.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/cause.h"

// The results of an analysis, as plain values: why an interval of a program took as long as it did.
namespace lapscope::analyzer {

// The scope's wall time in replays of the unchanged run. wall_ns is from a replay with recorded
// durations. The difference between wall_ns and the measured wall time is the time that nothing
// explains. blind_wall_ns is from the blind replay (analyzer/replay/blind.h). In the blind replay,
// each call has the length of similar calls, and each op has the latency of similar ops. The error
// of the blind replay shows how reliable the model is.
struct ReplayResult {
  Ns wall_ns = 0;
  double error = 0;  // wall_ns / measured wall - 1
  Ns blind_wall_ns = 0;
  double blind_error = 0;  // blind_wall_ns / measured wall - 1
};

// A change to the program. A Prediction predicts its effect. Recorded pairs of programs that differ
// by the same change show how accurate the prediction is.
struct Changed {
  std::vector<Cause> fixes;
  // Set for a change without any recorded example.
  std::optional<NotValidated> special = std::nullopt;
};

// A prediction has two ends if the trace leaves a question open. A Doubt is the open question that
// separates the two ends most.
// - sharing: whether kernels that run at the same time slow each other down.
// - last_wave: whether kernels that wait find room during the last wave of another kernel.
// - unexplained: whether ops keep the delays that nothing explains.
// - threads: whether several threads or processes can share the host's work.
enum class Doubt : std::uint8_t { sharing, last_wave, unexplained, threads };

// The predicted run after a change. The prediction has two ends if the trace leaves a question
// open:
// - If the trace does not show how much concurrent kernels slow each other down, the change is
//   replayed for both extremes (Sharing).
// - If ops began late for no known reason, the change is replayed with and without their delays.
// - If the change moves host work to other threads, the trace does not show how many can share it.
//   At the longer end, one other thread does all of the work, in the same time as before. At the
//   shorter end, several threads or processes share it.
struct Prediction {
  Ns wall_ns = 0;                       // at the longer end
  Ns least_wall_ns = 0;                 // at the shorter end; equal to wall_ns if there is only one
  std::optional<double> overlap_ratio;  // at the longer end
  Changed changed;
  // If true, the program's data decide whether the change is valid. The trace does not show these
  // data.
  bool needs_judgement = false;
  Sharing longer = Sharing::most;  // the end of Sharing at which the scope takes longer
  Doubt doubt = Doubt::sharing;    // why the ends differ, if they do
  Validity validity = {};          // how far the prediction may be from the truth
  bool is_open = false;            // the ends are so far apart that the result is open
};

// Facts about the program that decide which advice the text of a finding gives. The text leaves out
// advice that the program already follows. It also leaves out advice that does not fit the program.
struct Situation {
  bool communicates = false;  // communication is in the scope; for sm_saturated: in the delays
  std::set<Grounds> grounds;  // the grounds on which ops need not wait for their stream
  bool has_graphs = false;    // graph launches were delayed
  bool goes_first = false;    // kernels that waited for room have a higher priority already
  bool in_waves = false;      // kernels that took the room have more blocks than fit at once
  bool copies_block = false;  // pageable copies are made by blocking calls
  bool link_bound = false;    // a copy engine is busy nearly all of the time
  bool sleeps = false;        // threads slept between their calls when they delayed work
  bool is_corrected = false;  // the recorder's own time is removed

  bool has(Grounds one) const { return grounds.count(one) > 0; }
  bool has_tiles() const { return has(Grounds::issued_ahead) || has(Grounds::side_by_side); }
};

// What the host did between calls at the sites of a finding. The finding is about this work.
struct HostWork {
  // The work by kind. The entries name no functions. The finding is about the first kind, because
  // the edit for this kind saves most. The other kinds are sorted by time.
  std::vector<HostFunction> kinds;
  std::vector<HostFunction> functions;  // the functions with most time, largest first
  Ns ns = 0;                            // the thread's time between its calls in the scope
  std::int64_t instances = 0;           // iterations or NVTX ranges in the scope; 0 when not known
  std::int64_t ops = 0;                 // issued by all threads of the scope
  Ns all_saving_ns = 0;                 // the scope's saving if the host did none of the work
  std::vector<HostCollections> collections = {};  // of the scope
  // Whether most of the time is in known functions. If true, the finding is about kinds.front(). If
  // false, the finding is about all of the work.
  bool is_named = true;

  const HostFunction& about() const { return kinds.front(); }
};

// A cause that keeps work from overlapping, and what its fix would save.
struct FindingResult {
  std::string_view code;   // of the cause, stable
  Ns saving_ns = 0;        // of the scope's wall time, as replayed; savings do not add up
  Share saving_share = 0;  // saving_ns / replayed wall time (ReplayResult)
  // The saving at the shorter end of the prediction (see Doubt). Equal to saving_ns if the
  // prediction has only one end.
  Ns most_saving_ns = 0;
  // Conditions of a question. The trace does not show whether the condition holds. If it holds, the
  // question is a finding.
  // - if_independent: the ops do not need each other's results.
  // - if_apart: concurrent kernels do not slow each other down.
  // - if_shared: concurrent kernels slow each other down as much as they can. If so, kernels that
  //   were recorded at the same time had less work than their times show.
  bool if_independent = false;
  bool if_apart = false;
  bool if_shared = false;
  bool is_question() const { return if_independent || if_apart || if_shared; }
  std::int64_t occurrences = 0;  // ops that were delayed
  Ns waited_ns = 0;              // time in which at least one of them waited; at most the window
  Doing what;                    // what delays the ops at the first site
  Situation situation = {};      // the explanation and the fix depend on it
  // If a fix saves enough only together with a second fix, then_also is the code of the second fix.
  // If not, then_also is empty.
  std::string_view then_also;
  std::vector<CallSite> sites;     // by saving, then waiting, most first
  std::vector<Evidence> evidence;  // the longest waits first
  Prediction predicted;
  std::vector<std::string_view> rests_on = {};  // kinds of records, as in LookedFor
  std::optional<HostWork> host_work = std::nullopt;
};

// Says whether a cause was found. This answer needs some kinds of records. If one of these kinds is
// missing, the answer is inconclusive, whether or not the cause was found.
struct LookedFor {
  std::string_view code;
  bool is_found = false;                   // a finding is about the cause
  std::vector<std::string_view> rests_on;  // kinds of records, as in TraceFacts::recorded
  std::vector<std::string_view> missing;   // missing kinds that would settle the answer
  // If true, the missing records make the result for the whole scope inconclusive. This is the case
  // if the cause may have cost the scope enough time for a finding.
  bool leaves_open = false;
};

// Some causes, and the kinds of records that are missing. Without these records, it is not known
// whether the scope has these causes.
struct OpenQuestion {
  std::vector<std::string_view> missing;
  std::vector<std::string_view> codes;
};

// Whether the model explains a scope well enough. If it does not, neither the findings for this
// scope nor a lack of findings mean anything.
inline bool is_accounted_for(const ReplayResult& replay, Share unexplained_share) {
  const double most = assumed::most_unaccounted;
  return std::abs(replay.error) <= most && unexplained_share <= most;
}

// How the times of a scope change when the recorder's own time is removed.
struct Correction {
  Ns recorded_ns = 0;  // of the scope's wall time
  Ns corrected_ns = 0;
  std::string calibrated;        // time of the calibration, UTC, ISO 8601; empty: typical values
  std::optional<double> factor;  // as in CallCosts
  std::optional<double> iterations_error;  // as in CallCosts
  // The code of the cause with the most time in the blame. first_recorded: with the recorder's own
  // time. first_corrected: without it. Both are empty if they would be the same.
  std::string_view first_recorded;
  std::string_view first_corrected;
  // The host time of all NVTX ranges of the scope. host_recorded_ns: as recorded.
  // host_corrected_ns: without the recorder's own time. Both are absent if the calls of the ranges'
  // thread are not known.
  std::optional<Ns> host_recorded_ns;
  std::optional<Ns> host_corrected_ns;
  // By how much host_corrected_ns exceeds the median of bare runs, as a part of that median.
  std::optional<double> bare_error;
};

// If a scope is too large, only a sample of it is analyzed. The sample consists of some intervals.
struct Sample {
  std::int64_t intervals = 0;
  std::int64_t ops = 0;  // in the intervals
  std::int64_t of_ops = 0;
  // How the sample differs from the whole scope. idle_difference is the difference between their
  // shares of idle time. pace_difference is the difference between their times per op, as a part of
  // the whole scope's time per op.
  double idle_difference = 0;
  double pace_difference = 0;

  bool is_like_the_whole() const {
    const double most = assumed::most_unaccounted;
    return std::abs(idle_difference) <= most && std::abs(pace_difference) <= most;
  }
};

// Why a scope took as long as it did.
struct CausesResult {
  // If set, all members below describe the sample. Their times and counts are scaled to the whole
  // scope. There is no critical path.
  std::optional<Sample> sample;

  // If set, all members below describe the corrected run. Only FindingResult::evidence has the
  // recorded times. The corrected run begins at the recorded start of the scope.
  std::optional<Correction> correction;
  // An estimate from typical values: the time that recording adds, as a part of the time without
  // recording. Set only if the machine has no calibration and the part is more than
  // assumed::large_part.
  std::optional<double> estimated_added;

  std::vector<BlameRow> blame;             // most first; sums to the wall time exactly
  std::vector<PathStretch> critical_path;  // in the order of time
  Share unexplained_share = 0;             // of the wall time: time that no cause accounts for
  ReplayResult replay;
  // Sorted by saving, largest first.
  std::vector<FindingResult> findings;
  // Possible findings, sorted by possible saving, largest first. The trace does not show whether
  // ops depend on each other, or whether kernels slow each other down. A cause with a finding has
  // no question.
  std::vector<FindingResult> questions;
  // Fixes that save too little for a finding or a question, sorted by saving, largest first. Empty
  // unless CauseOptions::keeps_small_savings is set. A cause with a finding has no entry.
  std::vector<FindingResult> small_savings;
  // The name of the busiest engine, and its share of the wall time. In any order of the work, the
  // scope takes at least as long as this engine is busy.
  std::string_view bound_by;
  Share bound_share = 0;
  std::vector<Advice> advice;  // in the order of the steps
  // Names of the assumptions (docs/numbers.md) of the replay and the findings. An assumption
  // replaces a value of which the trace has no example.
  std::set<std::string_view> assumed;
  std::vector<LookedFor> looked_for;  // every cause that has a fix, in the order of causes

  // Returns the missing kinds of records that make the scope's result inconclusive. Causes that
  // lack the same kinds share one entry.
  std::vector<OpenQuestion> open_questions() const;
  bool is_accounted() const { return is_accounted_for(replay, unexplained_share); }
  // Whether the records are sufficient for a conclusive result.
  bool has_evidence() const { return std::ranges::none_of(looked_for, &LookedFor::leaves_open); }
  bool is_conclusive() const {
    return is_accounted() && has_evidence() && (!sample || sample->is_like_the_whole());
  }
};

}  // namespace lapscope::analyzer
