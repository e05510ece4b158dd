#include <algorithm>

#include "reports/diff/diff_renderer.h"
#include "reports/perfetto/render_perfetto.h"

namespace lapscope::reports {

// Aligns the runs by delaying the run whose work begins earlier in its session. Shifting the other
// run to earlier times could make its times negative.
void render_diff_perfetto(const analyzer::Comparison&, const DrawnRuns& runs, const TextStyle&,
                          std::ostream& out) {
  const Alignment aligned = align(*runs.before, *runs.after);
  const analyzer::Ns instant = std::max(aligned.before, aligned.after);
  const PerfettoRun both[] = {
      {runs.before, "A (before) " + runs.before->trace.file, "", instant - aligned.before},
      {runs.after, "B (after) " + runs.after->trace.file, "", instant - aligned.after}};
  render_perfetto(both, out);
}

}  // namespace lapscope::reports
