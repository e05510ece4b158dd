#pragma once

#include <ostream>

#include "analyzer/analysis/what_if.h"
#include "reports/text/layout.h"

namespace lapscope::reports {

// Writes a prediction for people: recorded, replayed and predicted times side by side, the
// confidence, and the next bottleneck.
void render_whatif_text(const analyzer::WhatIfReport& report, const TextStyle& style,
                        std::ostream& out);

// Writes the same content as a JSON object, schema "lapscope-whatif/1". Durations are integers in
// ns, ratios are numbers, and undefined values are null.
void render_whatif_json(const analyzer::WhatIfReport& report, std::ostream& out);

// words_of() returns a phrase that describes a change. needs_judgement() returns whether any change
// of the report is correct only if the program's data allows it.
std::string words_of(const analyzer::FixRequest& change);
bool needs_judgement(const analyzer::WhatIfReport& report);

// Lists every fix, one per line.
void render_fixes(std::ostream& out);
// For each scope of a report, lists every fix and what this fix saves without the others. The
// largest saving comes first. Fixes share a line if they save nothing, or if their saving is
// unknown. The report must have the savings of all fixes.
void render_fixes(const analyzer::Report& report, const TextStyle& style, std::ostream& out);

}  // namespace lapscope::reports
