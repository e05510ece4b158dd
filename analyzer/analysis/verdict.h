#pragma once

#include <cstdint>
#include <string_view>

#include "analyzer/analysis/report.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// The verdict on a trace.
// - unknown: the figures are sound, but causes were not requested or cannot be found.
// - possible: there is no finding. But there is a question or exposed communication, which may be a
//   problem.
enum class Verdict { ok, possible, findings, inconclusive, unknown };

// "ok", "possible", "findings", "inconclusive"; "" for unknown.
std::string_view name_of(Verdict verdict);

// Returns the verdict on the requested scopes (ranges, profiler brackets, the steady state), or
// else on the whole devices. The verdict is `ok` only if all of these hold:
// - The trace has all records on which the verdict depends.
// - There is no finding, no question, and no advice about a large part of the time.
// - Less waiting would hardly help: an engine is the bound, the device is hardly idle, or little of
//   the critical path is waiting. Communication cannot be the bound here, because a trace of one
//   rank does not show how much of its communication is waiting for other ranks.
//
// A range that the model does not explain is inconclusive. The verdict ignores such a range if it
// lies within a longer, conclusive range.
Verdict verdict_of(const Report& report);
Verdict verdict_of(const ScopeResult& scope);

// Returns the device whose scope_to_show() has the finding with the largest saving. If savings are
// equal, returns the device with the most ops. Returns null if the report has no devices.
const DeviceResult* device_to_show(const Report& report);
// Returns the device's range that has the finding with the largest saving. If the device has no
// ranges, returns the scope of the whole device.
const ScopeResult& scope_to_show(const DeviceResult& device);

// Returns the advice about communication during which nothing computes; null if there is none.
const ExposedCommunication* exposed_communication(const CausesResult& causes);

// Returns the wall time that causes, findings and predictions refer to: the corrected wall if it is
// known, else the recorded wall.
Ns explained_ns(const ScopeResult& scope);

// Returns the wall time of the replay; explained_ns() if there was no replay. A predicted wall time
// and the saving of this prediction add up to the returned time.
Ns modelled_ns(const ScopeResult& scope);
double part_of_modelled(Ns ns, const ScopeResult& scope);

// The result of the model check, by the error of a blind replay (analyzer/replay/blind.h).
enum class ModelCheck { good, doubtful, useless };
ModelCheck model_check_of(double blind_error);
inline ModelCheck model_check_of(const ReplayResult& replay) {
  return model_check_of(replay.blind_error);
}

// The first statement of a report about a scope, and the share of the scope's time that it
// concerns.
struct Headline {
  enum class About {
    impossible_ops,  // ops with impossible times
    not_analyzed,    // causes were not looked for
    unchecked,       // records to find causes are missing, and there is no finding
    unaccounted,     // time that the model does not account for
    unlike,          // the sample differs from the whole
    saving,          // the saving of `finding`, the first one
    finding,         // `finding`, the first one; the model cannot predict its saving
    question,        // `finding`, which is the first question
    wait,            // `wait`, which no finding is about
    advice,          // `step`, the advice about a large part of the time
    communication,   // during which nothing computes: a transfer, or a wait for a rank
    bound,           // the busiest engine is the bound
    busy,            // the device is busy; no engine is near to being the bound
  };
  About about = About::not_analyzed;
  Share share = 0;       // of the time
  Share most_share = 0;  // the most that a saving may be
  Share waiting = 0;     // of communication: ExposedCommunication::waiting
  const FindingResult* finding = nullptr;
  const BlameRow* wait = nullptr;
  const Advice* step = nullptr;
};
Headline headline_of(const ScopeResult& scope);

}  // namespace lapscope::analyzer
