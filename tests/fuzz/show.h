#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "analyzer/analysis/analyze.h"
#include "reports/renderer.h"

namespace lapscope::fuzz {

// Renders a trace in the format that the input selects. Rendering all formats costs more than the
// analysis.
inline std::string show(const analyzer::Trace& trace, std::size_t format) {
  analyzer::AnalyzeOptions options;
  const reports::Renderer& renderer = reports::renderers()[format % reports::renderers().size()];
  options.timeline = renderer.draws;
  options.explain_whole = renderer.name == "json";
  const std::vector<analyzer::Report> reports = {analyzer::analyze(trace, options)};
  std::ostringstream out;
  renderer.render(reports, {.width = 80}, out);
  return out.str();
}

}  // namespace lapscope::fuzz
