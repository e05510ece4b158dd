#pragma once

#include <ostream>

#include "analyzer/analysis/what_if.h"
#include "reports/text/layout.h"

namespace lapscope::reports {

// A prediction for people: recorded, replayed and predicted side by side, how far to trust it, and
// the next bottleneck.
void render_whatif_text(const analyzer::WhatIfReport& report, const TextStyle& style,
                        std::ostream& out);

// The same as one JSON object, schema "lapscope-whatif/1": durations in integer ns, ratios as
// numbers, null where a value cannot be defined.
void render_whatif_json(const analyzer::WhatIfReport& report, std::ostream& out);

// What was changed, a phrase each; and whether the program's data must allow it.
std::string words_of(const analyzer::FixRequest& change);
bool needs_judgement(const analyzer::WhatIfReport& report);

// Every fix that can be asked for, a line each.
void render_fixes(std::ostream& out);
// Likewise, with what each fix would save by itself in the scopes of a report, largest first, and
// those that save nothing together. The report must cover every fix that is worth anything.
void render_fixes(const analyzer::Report& report, const TextStyle& style, std::ostream& out);

}  // namespace lapscope::reports
