#pragma once

#include <ostream>
#include <span>
#include <string_view>

#include "analyzer/gate/judgement.h"
#include "reports/named.h"
#include "reports/text/layout.h"

namespace lapscope::reports {

// An output format of a gate's result. To add one, write its file, its declaration below and its
// line in gate_renderer_registry.cpp.
struct GateRenderer {
  std::string_view name;  // value of --format and --write
  std::string_view description;
  void (*render)(const analyzer::GateReport& report, const TextStyle& style, std::ostream& out);
};

std::span<const GateRenderer> gate_renderers();

// Returns the renderer with this name; null if there is none.
inline const GateRenderer* find_gate_renderer(std::string_view name) {
  return named(gate_renderers(), name);
}

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

}  // namespace lapscope::reports
