#pragma once

#include <span>
#include <string>
#include <string_view>

#include "analyzer/gate/gated_work.h"
#include "analyzer/gate/remark.h"
#include "analyzer/model/cause.h"

// Each function returns the first reason why runs cannot be evaluated, whatever their figures are.
// It returns an empty remark if there is no such reason.
namespace lapscope::analyzer {

// Checks that the runs are repeats of one program. Every run must be sound and complete, and must
// have its provenance. No run may occur twice. All runs must have the same rank and command.
Remark trouble_of(const Gate& gate, Runs runs);

// Checks that every run has the work and enough ops, and that all runs used the same GPU model. If
// the work is a default scope, also checks the scope of every run: the gate must name this scope,
// or no scope, and the scopes of all runs must be alike (are_alike()).
Remark trouble_of(const Gate& gate, const GatedWork& work, Runs runs);

// If a gate evaluates default scopes, checks that every run states its default scope.
Remark trouble_of_untold(const Gate& gate, Runs runs);

// Checks that the default scopes of one device in two runs are alike (are_alike()).
Remark trouble_of_unlike(const ScopeSummary& a, const RunSummary& run_a, const ScopeSummary& b,
                         const RunSummary& run_b);

// Returns a remark if ops with impossible times could belong to the scope.
Remark trouble_of_left_out(const ScopeSummary& scope, const RunSummary& run);

// Returns the reason why no run has the work `missing`, which is a name from missing_work().
Remark trouble_of_missing(const Gate& gate, const std::string& missing, Runs runs);

// If the measure depends on the patterns of communication kernels, checks that the runs were
// analyzed with the gate's patterns.
Remark trouble_of(const Gate& gate, const Measure& measure, Runs runs);

// Checks that a ban can be judged: the causes of `work` were analyzed, the trace has the necessary
// records, and the model is accurate enough.
Remark trouble_of(const Gate& gate, const Ban& ban, const GatedWork& work, Runs runs);

// `baseline` has those runs of the baseline that have the same rank as `runs`. Checks that there is
// at least one, that trouble_of(gate, baseline) is empty, and that none of them is also in `runs`.
Remark trouble_of_baseline(const Gate& gate, Runs runs, Runs baseline);

// Returns notes for the user. They are about defects of the recordings, and about a baseline with
// another command or driver. They change no outcome. `baseline` may be empty.
std::vector<Remark> notes_of(Runs runs, Runs baseline);

}  // namespace lapscope::analyzer
