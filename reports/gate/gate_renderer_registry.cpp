#include "reports/gate/gate_renderer.h"

namespace lapscope::reports {
namespace {

constexpr GateRenderer all[] = {
    {"text", "tables for people", render_gate_text},
    {"json", "schema lapscope-gate/1", render_gate_json},
    {"markdown", "for comments and job summaries", render_gate_markdown},
    {"junit", "XML that CI systems show as tests", render_gate_junit},
    {"gitlab", "JSON that GitLab shows as code quality", render_gate_gitlab},
    {"sarif", "SARIF 2.1.0, for code scanning and editors", render_gate_sarif},
    {"github", "annotations, as GitHub Actions reads them in a log", render_gate_github},
};

}  // namespace

std::span<const GateRenderer> gate_renderers() { return all; }

}  // namespace lapscope::reports
