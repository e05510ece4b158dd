#pragma once

#include <ostream>
#include <string_view>

#include "analyzer/gate/judgement.h"
#include "reports/named.h"
#include "reports/text/layout.h"

namespace lapscope::reports {

// An output format of a gate's result. To add one, write its file, its declaration and its line
// below.
struct GateRenderer {
  std::string_view name;  // value of --format and --write
  std::string_view description;
  void (*render)(const analyzer::GateReport& report, const TextStyle& style, std::ostream& out);
};

// Each renderer is in its own file.
void render_gate_text(const analyzer::GateReport& report, const TextStyle& style,
                      std::ostream& out);
void render_gate_json(const analyzer::GateReport& report, const TextStyle& style,
                      std::ostream& out);
void render_gate_markdown(const analyzer::GateReport& report, const TextStyle& style,
                          std::ostream& out);
void render_gate_junit(const analyzer::GateReport& report, const TextStyle& style,
                       std::ostream& out);
void render_gate_gitlab(const analyzer::GateReport& report, const TextStyle& style,
                        std::ostream& out);
void render_gate_sarif(const analyzer::GateReport& report, const TextStyle& style,
                       std::ostream& out);
void render_gate_github(const analyzer::GateReport& report, const TextStyle& style,
                        std::ostream& out);

inline constexpr GateRenderer gate_renderers[] = {
    {"text", "tables for people", render_gate_text},
    {"json", "schema lapscope-gate/1", render_gate_json},
    {"markdown", "for comments and job summaries", render_gate_markdown},
    {"junit", "XML that CI systems show as tests", render_gate_junit},
    {"gitlab", "JSON that GitLab shows as code quality", render_gate_gitlab},
    {"sarif", "SARIF 2.1.0, for code scanning and editors", render_gate_sarif},
    {"github", "annotations, as GitHub Actions reads them in a log", render_gate_github},
};

// Returns the renderer with this name; null if there is none.
inline const GateRenderer* find_gate_renderer(std::string_view name) {
  return named(gate_renderers, name);
}

}  // namespace lapscope::reports
