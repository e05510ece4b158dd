#pragma once

#include <span>
#include <string>
#include <string_view>

#include "analyzer/gate/gated_work.h"
#include "analyzer/gate/remark.h"
#include "analyzer/model/cause.h"

// Why runs cannot be evaluated, whatever their figures; empty when they can.
namespace lapscope::analyzer {

// As repeats of one program: runs that are defective, not all there, not distinguished.
Remark trouble_of(const Gate& gate, Runs runs);

// In what they did of this work.
Remark trouble_of(const Gate& gate, const GatedWork& work, Runs runs);

// In runs whose default scope a gate is to evaluate: it is not known what that scope is.
Remark trouble_of_untold(const Gate& gate, Runs runs);

// In the default scopes of two runs, of the same device: that they are not alike.
Remark trouble_of_unlike(const ScopeSummary& a, const RunSummary& run_a, const ScopeSummary& b,
                         const RunSummary& run_b);

// In a scope that ops of impossible times may belong to.
Remark trouble_of_left_out(const ScopeSummary& scope, const RunSummary& run);

// For lack of what was asked for: one of missing_work.
Remark trouble_of_missing(const Gate& gate, const std::string& missing, Runs runs);

// By a measure that depends on more than the trace.
Remark trouble_of(const Gate& gate, const Measure& measure, Runs runs);

// By a ban: the causes of this work were not looked for, could not have been seen, or are not to be
// relied on.
Remark trouble_of(const Gate& gate, const Ban& ban, const GatedWork& work, Runs runs);

// Against this baseline.
Remark trouble_of_baseline(const Gate& gate, Runs runs, Runs baseline);

// What is to be known of the runs and changes no outcome: defects of the recordings, and in what
// the baseline differs but for its figures. `baseline` may be empty.
std::vector<Remark> notes_of(Runs runs, Runs baseline);

}  // namespace lapscope::analyzer
