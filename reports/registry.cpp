#include "reports/json/render_json.h"
#include "reports/renderer.h"
#include "reports/text/render_text.h"

namespace lapscope::reports {
namespace {

constexpr Renderer all[] = {
    {"text", "tables for people", render_text},
    {"json", "schema lapscope-report/1; an array when several traces are given", render_json},
};

}  // namespace

std::span<const Renderer> renderers() { return all; }

const Renderer* find_renderer(std::string_view name) {
  for (const Renderer& renderer : all) {
    if (renderer.name == name) return &renderer;
  }
  return nullptr;
}

}  // namespace lapscope::reports
