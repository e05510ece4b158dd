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

// The scope's wall time in two replays of the unchanged run. wall_ns is from the replay with
// recorded durations. Its difference to the measured wall time is time that nothing explains.
// blind_wall_ns is from the replay with the durations and latencies of similar calls and ops
// (analyzer/replay/blind.h). The error of this replay shows how reliable the model is.
struct ReplayResult {
  Ns wall_ns = 0;
  double error = 0;  // wall_ns / measured wall - 1
  Ns blind_wall_ns = 0;
  double blind_error = 0;  // blind_wall_ns / measured wall - 1
};

// A change whose effect is predicted. Recorded pairs of programs that differ by the same change
// show how accurate the prediction is.
struct Changed {
  std::vector<Cause> fixes;
  // Set for a change without any recorded example.
  std::optional<NotValidated> special = std::nullopt;
};

// A prediction has two ends if the trace leaves a question open. The doubt of a prediction is the
// question that separates its ends most:
// - sharing: whether kernels that run at the same time slow each other down.
// - last_wave: whether kernels that wait find room during the last wave of another kernel.
// - unexplained: whether ops keep the delays that nothing explains.
// - threads: whether several threads or processes can share the host's work.
enum class Doubt : std::uint8_t { sharing, last_wave, unexplained, threads };

// The predicted run after a change. If the trace leaves a question open (Doubt), the change is
// replayed for both answers. These replays are the two ends of the prediction: the longer end has
// the longer wall time. An example is host work that moves to other threads. At the longer end, one
// other thread does this work, and needs as long as the recorded thread. At the shorter end,
// several threads or processes share the work.
struct Prediction {
  Ns wall_ns = 0;                       // at the longer end
  Ns least_wall_ns = 0;                 // at the shorter end; equal to wall_ns if there is only one
  std::optional<double> overlap_ratio;  // at the longer end
  Changed changed;
  // Whether the user must judge if the change is valid, because this depends on the program's data,
  // which the trace does not show.
  bool needs_judgement = false;
  Sharing longer = Sharing::most;  // the end of Sharing at which the scope takes longer
  Doubt doubt = Doubt::sharing;    // why the ends differ, if they do
  Validity validity = {};          // how far the prediction may be from the truth
  bool is_open = false;            // the ends are so far apart that the result is open
};

// Facts about the program that decide which advice the text of a finding gives. The text gives only
// advice that fits the program, and that the program does not follow yet.
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

// What the host did between calls at the sites of a finding.
struct HostWork {
  // The work by kind, without names of functions. The first kind is the kind whose edit saves most.
  // The other kinds are sorted by time.
  std::vector<HostFunction> kinds;
  std::vector<HostFunction> functions;  // the functions with most time, largest first
  Ns ns = 0;                            // the thread's time between its calls in the scope
  std::int64_t instances = 0;           // iterations or NVTX ranges in the scope; 0 when not known
  std::int64_t ops = 0;                 // issued by all threads of the scope
  Ns all_saving_ns = 0;                 // the scope's saving if the host did none of the work
  std::vector<HostCollections> collections = {};  // of the scope
  // If known functions took most of the time, the finding is about kinds.front(). If not, it is
  // about all of the work.
  bool is_named = true;

  const HostFunction& about() const { return kinds.front(); }
};

// A cause that keeps work from overlapping, and what its fix would save.
struct FindingResult {
  std::string_view code;   // of the cause, stable
  Ns saving_ns = 0;        // of the scope's wall time, as replayed; savings do not add up
  Share saving_share = 0;  // saving_ns / replayed wall time (ReplayResult)
  // The saving at the shorter end of the prediction (Prediction::least_wall_ns).
  Ns most_saving_ns = 0;
  // The conditions under which a question is a finding. The trace does not show whether they hold.
  // - if_independent: the ops do not need each other's results.
  // - if_apart: concurrent kernels do not slow each other down.
  // - if_shared: concurrent kernels slow each other down as much as they can. If so, kernels that
  //   overlapped in the recording have less work than their recorded durations show, because they
  //   slowed each other down.
  bool if_independent = false;
  bool if_apart = false;
  bool if_shared = false;
  bool is_question() const { return if_independent || if_apart || if_shared; }
  std::int64_t occurrences = 0;  // ops that were delayed
  Ns waited_ns = 0;              // time in which at least one of them waited; at most the window
  Doing what;                    // what delays the ops at the first site
  Situation situation = {};      // the explanation and the fix depend on it
  // If the saving needs a second fix as well: the code of that fix. Otherwise empty.
  std::string_view then_also;
  std::vector<CallSite> sites;     // by saving, then waiting, most first
  std::vector<Evidence> evidence;  // the longest waits first
  Prediction predicted;
  std::vector<std::string_view> rests_on = {};  // kinds of records, as in LookedFor
  std::optional<HostWork> host_work = std::nullopt;
};

// Whether a cause was found. If a kind of record that this answer needs is missing, the answer is
// inconclusive.
struct LookedFor {
  std::string_view code;
  bool is_found = false;                   // a finding is about the cause
  std::vector<std::string_view> rests_on;  // kinds of records, as in TraceFacts::recorded
  std::vector<std::string_view> missing;   // missing kinds that would settle the answer
  // Whether the missing records make the whole scope inconclusive. They do if this cause may have
  // cost enough time for a finding.
  bool leaves_open = false;
};

// Causes that may have cost enough time for a finding, but that cannot be found without the kinds
// of records in `missing`.
struct OpenQuestion {
  std::vector<std::string_view> missing;
  std::vector<std::string_view> codes;
};

// Whether the model explains a scope well enough. If not, neither findings nor their absence show
// anything about the program.
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
  // The code of the longest row of the blame, with and without the recorder's own time. Empty if
  // both are the same.
  std::string_view first_recorded;
  std::string_view first_corrected;
  // The open time of all NVTX ranges of the scope, with and without the recorder's own time. Absent
  // if the calls of the ranges' thread are not known.
  std::optional<Ns> host_recorded_ns;
  std::optional<Ns> host_corrected_ns;
  // By how much host_corrected_ns exceeds the median of bare runs, as a part of that median.
  std::optional<double> bare_error;
};

// The analyzed part of a scope that is too large as a whole: some intervals of it.
struct Sample {
  std::int64_t intervals = 0;
  std::int64_t ops = 0;  // in the intervals
  std::int64_t of_ops = 0;
  // How the sample differs from the whole scope: in the share of idle time, and in the time per op
  // (as a part of the whole scope's time per op).
  double idle_difference = 0;
  double pace_difference = 0;

  bool is_like_the_whole() const {
    const double most = assumed::most_unaccounted;
    return std::abs(idle_difference) <= most && std::abs(pace_difference) <= most;
  }
};

// Why a scope took as long as it did.
struct CausesResult {
  // If set, all members below describe the sample, scaled to the whole scope, and critical_path is
  // empty.
  std::optional<Sample> sample;

  // If set, all members below describe the corrected run, which begins at the scope's recorded
  // start. Only FindingResult::evidence has the recorded times.
  std::optional<Correction> correction;
  // An estimate of the time that recording adds, as a part of the time without recording. Absent if
  // the recorder's own time is removed, or if the estimate is at most assumed::large_part.
  std::optional<double> estimated_added;

  std::vector<BlameRow> blame;             // most first; sums to the wall time exactly
  std::vector<PathStretch> critical_path;  // in the order of time
  Share unexplained_share = 0;             // of the wall time: time that no cause accounts for
  ReplayResult replay;
  // Sorted by saving, largest first.
  std::vector<FindingResult> findings;
  // Possible findings, largest saving first. The trace does not show whether ops are independent,
  // or whether kernels slow each other down. A cause with a finding has no question.
  std::vector<FindingResult> questions;
  // Fixes that save too little for a finding or a question, largest saving first. Set only with
  // CauseOptions::keeps_small_savings. A cause with a finding has no entry.
  std::vector<FindingResult> small_savings;
  // The busiest engine, and its share of the wall time. No order of the work makes the wall time
  // shorter than the time in which this engine is busy.
  std::string_view bound_by;
  Share bound_share = 0;
  std::vector<Advice> advice;  // in the order of the steps
  // The assumptions (docs/numbers.md) that the replays used, because the trace lacks measurements.
  std::set<std::string_view> assumed;
  std::vector<LookedFor> looked_for;  // every cause that has a fix, in the order of causes

  // Returns the causes that leave the scope inconclusive (LookedFor::leaves_open). Causes that lack
  // the same kinds of records share an entry.
  std::vector<OpenQuestion> open_questions() const;
  bool is_accounted() const { return is_accounted_for(replay, unexplained_share); }
  // Whether the records are sufficient for a conclusive result.
  bool has_evidence() const { return std::ranges::none_of(looked_for, &LookedFor::leaves_open); }
  bool is_conclusive() const {
    return is_accounted() && has_evidence() && (!sample || sample->is_like_the_whole());
  }
};

}  // namespace lapscope::analyzer
