#pragma once

#include <cstdint>
#include <string_view>

#include "analyzer/analysis/report.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// The verdict on a trace. `unknown`: its figures are sound, but causes were not asked for or cannot
// be found.
enum class Verdict { ok, findings, inconclusive, unknown };

// "ok", "findings", "inconclusive"; "" for unknown.
std::string_view name_of(Verdict verdict);

// Of what was asked for (ranges, profiler brackets), else of the whole of all devices. `ok` only
// where the trace has all that the answer rests on, nothing is found, and an engine is the bound or
// little of the critical path is waiting. A range within another of these says for itself that the
// model does not account for it.
Verdict verdict_of(const Report& report);
Verdict verdict_of(const ScopeResult& scope);

// The step that there is to take where no finding says one; null when there is none.
const Advice* main_step(const CausesResult& causes);

// The wall time that causes, findings and predictions are of: without the recorder's own time where
// that is known.
Ns explained_ns(const ScopeResult& scope);

}  // namespace lapscope::analyzer
