#pragma once

#include <cstdint>
#include <string_view>

#include "analyzer/analysis/report.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// The verdict on a trace. `unknown`: its figures are sound, but causes were not asked for or cannot
// be found. `possible`: nothing is found, but a question whose answer may be worth a finding.
enum class Verdict { ok, possible, findings, inconclusive, unknown };

// "ok", "possible", "findings", "inconclusive"; "" for unknown.
std::string_view name_of(Verdict verdict);

// The verdict on what was asked for (ranges, profiler brackets), else on all devices as a whole. It
// is `ok` only where the trace has all that the answer rests on, nothing is found or asked, and an
// engine is the bound, the device is hardly idle, or little of the critical path is waiting.
// Communication is no such engine: a trace of one rank does not show how much of it is waiting. A
// range within another range of the verdict states for itself that the model does not account for
// it.
Verdict verdict_of(const Report& report);
Verdict verdict_of(const ScopeResult& scope);

// The device of a report that has the most to gain: by what its first finding saves, of a range
// where ranges were asked for; else by its ops. Null when there is none.
const DeviceResult* device_to_show(const Report& report);
// The range of the device with most to gain where ranges were asked for; else the whole device.
const ScopeResult& scope_to_show(const DeviceResult& device);

// The step that there is to take where no finding says one; null when there is none.
const Advice* main_step(const CausesResult& causes);

// Communication beside which nothing computes, where that is advice; else null.
const ExposedCommunication* exposed_communication(const CausesResult& causes);

// The wall time that causes, findings and predictions refer to: without the recorder's own time
// where that is known.
Ns explained_ns(const ScopeResult& scope);

// The same time as the model replays it: a prediction and what it saves add up to it.
Ns modelled_ns(const ScopeResult& scope);
double part_of_modelled(Ns ns, const ScopeResult& scope);

// How far the blind replay of the unchanged run is off.
enum class ModelCheck { good, doubtful, useless };
ModelCheck model_check_of(const ReplayResult& replay);

// What is to be said of a scope first, and how much of its time it is about.
struct Headline {
  enum class About {
    impossible_ops,  // ops with impossible times
    not_analyzed,    // causes
    unchecked,       // causes, for want of records; nothing is found either
    unaccounted,     // time that the model does not account for
    unlike,          // the sample and the whole
    saving,          // of `finding`, which is the first
    finding,         // likewise, with a model that cannot predict what it saves
    question,        // likewise of a question
    wait,            // that no finding is about
    advice,          // `step`
    communication,   // beside which nothing computes: transfer, or waiting for another rank
    bound,           // the busiest engine
    busy,            // the device, of which no engine is near to being the bound
  };
  About about = About::not_analyzed;
  Share share = 0;       // of the time
  Share most_share = 0;  // of a saving: at the other end of what the trace leaves open
  Share waiting = 0;     // of communication: ExposedCommunication::waiting
  const FindingResult* finding = nullptr;
  const BlameRow* wait = nullptr;
  const Advice* step = nullptr;
};
Headline headline_of(const ScopeResult& scope);

}  // namespace lapscope::analyzer
