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

// Why an interval of a program took as long as it did, as plain values.
namespace lapscope::analyzer {

// The scope's wall time as the replay of the unchanged trace gives it, which differs from the
// measured one by what nothing explains. The blind replay (analyzer/replay/blind.h) takes what
// calls and ops take from others like them: what it is off by says how far the model can be
// trusted.
struct ReplayResult {
  Ns wall_ns = 0;
  double error = 0;  // wall_ns / measured wall - 1
  Ns blind_wall_ns = 0;
  double blind_error = 0;  // likewise
};

// What a prediction changes, as far as that decides whether there are recorded pairs like it.
struct Changed {
  std::vector<Cause> fixes;
  // What is changed that no recorded program can have.
  std::optional<NotValidated> special = std::nullopt;
};

// What the two ends of a prediction differ by: whether kernels that run beside each other slow each
// other down, or more by whether the last wave of a kernel leaves room to those that wait for it;
// or most by whether delays that nothing explains stay with their ops.
enum class Doubt : std::uint8_t { sharing, last_wave, unexplained };

// The result of a replay with something changed. Where the trace does not show what kernels beside
// each other share, it was replayed at both ends of that (Sharing); where ops began late and
// nothing explains it, with these delays and without.
struct Prediction {
  Ns wall_ns = 0;                       // at the end at which it takes longer
  Ns least_wall_ns = 0;                 // at the other one; the same where nothing depends on it
  std::optional<double> overlap_ratio;  // with the longer one
  Changed changed;
  // The trace cannot show whether the program's data allows the change.
  bool needs_judgement = false;
  Sharing longer = Sharing::most;  // the end at which it takes longer
  Doubt doubt = Doubt::sharing;    // where the ends differ
  Validity validity = {};          // how far it may miss
  bool is_open = false;            // the ends are so far apart that the trace leaves it open
};

// What advice depends on: steps that a program has taken already, or that do not concern it.
struct Situation {
  bool communicates = false;  // kernels of collectives are among the ops, or delayed each other
  std::set<Grounds> grounds;  // on which ops need not have waited for their stream
  bool has_graphs = false;    // graph launches were delayed
  bool goes_first = false;    // who waited for room has a stream of higher priority already
  bool in_waves = false;      // who took it has more blocks than fit at once
  bool copies_block = false;  // pageable copies are made by calls that wait for them on purpose
  bool link_bound = false;    // a copy engine is busy nearly all of the time
  bool sleeps = false;        // threads slept between their calls when they delayed work
  bool is_corrected = false;  // the recorder's own time is taken off

  bool has(Grounds one) const { return grounds.count(one) > 0; }
  bool has_tiles() const { return has(Grounds::issued_ahead) || has(Grounds::side_by_side); }
};

// What the host did at the sites of a finding about its own work, where it was looked at.
struct HostWork {
  // The kinds of the host's work, without functions: first the one that the finding is about, as
  // its edit saves most, then by time.
  std::vector<HostFunction> kinds;
  std::vector<HostFunction> functions;  // those of which there is most, most first
  Ns ns = 0;                            // of all that the thread did between its calls in the scope
  std::int64_t instances = 0;           // iterations or ranges in it; 0 when not known
  std::int64_t ops = 0;                 // that all threads of the scope issued
  Ns all_saving_ns = 0;                 // of the scope, if the host did none of it
  std::vector<HostCollections> collections = {};  // of the scope
  // What has a name is most of it, and the finding is about that; else it is about all.
  bool is_named = true;

  const HostFunction& about() const { return kinds.front(); }
};

// Something that keeps work from overlapping, and what putting it right would bring.
struct FindingResult {
  std::string_view code;   // of the cause, stable
  Ns saving_ns = 0;        // of the scope's wall time, as replayed; savings do not add up
  Share saving_share = 0;  // of the same
  // What it saves at the other end of what is not known (Doubt); saving_ns where nothing depends on
  // that.
  Ns most_saving_ns = 0;
  // For a question: what must hold for it to be a finding, of which the trace shows nothing. The
  // conditions are that ops need nothing of each other; that kernels beside each other do not slow
  // each other down, or that they share all they can, so that those recorded beside each other had
  // less to do.
  bool if_independent = false;
  bool if_apart = false;
  bool if_shared = false;
  std::int64_t occurrences = 0;  // ops that were delayed
  Ns waited_ns = 0;          // for how long at least one of them waited: no more than the window
  Doing what;                // who does it: as at the first site
  Situation situation = {};  // what explains it, and how to fix it, depends on that
  // For a fix that only pays together with another one: the code of that one, empty otherwise; and
  // what this one saves without it, of the replayed wall time.
  std::string_view then_also;
  double saving_alone = 0;
  std::vector<CallSite> sites;     // by saving, then waiting, most first
  std::vector<Evidence> evidence;  // the longest waits first
  Prediction predicted;
  std::vector<std::string_view> rests_on = {};  // kinds of records, as in LookedFor
  std::optional<HostWork> host_work = std::nullopt;
};

// A cause that was looked for, and what the answer rests on. It is inconclusive where a kind of
// records is missing, whether or not something was found.
struct LookedFor {
  std::string_view code;
  bool is_found = false;                   // a finding is about it
  std::vector<std::string_view> rests_on;  // kinds of records, as in TraceFacts::recorded
  std::vector<std::string_view> missing;   // of these, what would settle it
  // For want of them the scope as a whole cannot be evaluated: it has time that may have this
  // cause.
  bool leaves_open = false;
};

// Kinds of records for want of which a scope is left open, and the codes that they would settle.
struct OpenQuestion {
  std::vector<std::string_view> missing;
  std::vector<std::string_view> codes;
};

// Whether the model accounts for a scope well enough for what is found in it, and for what is not,
// to mean anything.
inline bool is_accounted_for(const ReplayResult& replay, Share unexplained_share) {
  const double most = assumed::most_unaccounted;
  return std::abs(replay.error) <= most && unexplained_share <= most;
}

// The same scope without the recorder's own time.
struct Correction {
  Ns recorded_ns = 0;  // of the scope's wall time
  Ns corrected_ns = 0;
  std::string calibrated;        // when, UTC, ISO 8601; empty: by what is typical elsewhere
  std::optional<double> factor;  // what that was multiplied by to fit the bare runs
  // What the wall time was spent on first with the recorder's own time, and what is first without,
  // as in blame; both empty where they are the same.
  std::string_view first_recorded;
  std::string_view first_corrected;
  // What the host took for the scope's NVTX ranges, all added up, recorded and without the
  // recorder. Only where the calls of their thread are known.
  std::optional<Ns> host_recorded_ns;
  std::optional<Ns> host_corrected_ns;
  // How far the latter is off the median of bare runs, as a part of it.
  std::optional<double> bare_error;
};

// The intervals of a scope in which its causes were found, where it was too large for all of it.
struct Sample {
  std::int64_t intervals = 0;
  std::int64_t ops = 0;  // in them
  std::int64_t of_ops = 0;
  // How it differs from the whole: in the idle part of its time, and in its time for an op, as a
  // part of the whole's time for an op.
  double idle_difference = 0;
  double pace_difference = 0;

  bool is_like_the_whole() const {
    const double most = assumed::most_unaccounted;
    return std::abs(idle_difference) <= most && std::abs(pace_difference) <= most;
  }
};

// Why a scope took as long as it did.
struct CausesResult {
  // Where there is one, all that follows describes the sample, times and counts in proportion to
  // the whole; there is no critical path.
  std::optional<Sample> sample;

  // Where there is one, all that follows describes the corrected run, except for times of evidence,
  // which are the trace's. Instants of the critical path are instants of the corrected run, which
  // begins when the scope does.
  std::optional<Correction> correction;
  // What recording adds, as a part of the time without it, by what is typical elsewhere: where it
  // is so much that it may decide, and it is not known of this machine.
  std::optional<double> estimated_added;

  std::vector<BlameRow> blame;             // most first; sums to the wall time exactly
  std::vector<PathStretch> critical_path;  // the first first
  Share unexplained_share = 0;             // of the wall time: what no cause accounts for
  ReplayResult replay;
  // By saving, most first.
  std::vector<FindingResult> findings;
  // What would be findings if ops did not depend on each other, or if kernels did not slow each
  // other down, of which the trace shows nothing. Of a cause that has a finding there is none. By
  // what they may save, most first.
  std::vector<FindingResult> questions;
  // What no reordering can undercut: the busiest engine, by name, and its share of the wall time.
  std::string_view bound_by;
  Share bound_share = 0;
  std::vector<Advice> advice;  // in the order of the steps
  // Names of assumptions (docs/numbers.md) that the replay and the findings rest on, for want of
  // examples in the trace.
  std::set<std::string_view> assumed;
  std::vector<LookedFor> looked_for;  // every cause that has a fix, in the order of causes

  // What leaves the scope open, by what is missing.
  std::vector<OpenQuestion> open_questions() const;
  bool is_accounted() const { return is_accounted_for(replay, unexplained_share); }
  // Whether no record is missing without which all that was found may be of another cause.
  bool has_evidence() const {
    return std::none_of(looked_for.begin(), looked_for.end(),
                        [](const LookedFor& cause) { return cause.leaves_open; });
  }
  bool is_conclusive() const {
    return is_accounted() && has_evidence() && (!sample || sample->is_like_the_whole());
  }
};

}  // namespace lapscope::analyzer
