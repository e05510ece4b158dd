#pragma once

#include <ostream>
#include <span>

#include "analyzer/analysis/report.h"

namespace lapscope::reports {

// GitHub's Markdown for a comment on a pull request: the verdict, figures and findings at once, the
// rest to unfold. Never longer than a comment may be: details are left out for it, and that is
// said.
void render_markdown(std::span<const analyzer::Report> reports, std::ostream& out);

}  // namespace lapscope::reports
