#include "reports/diff/diff_renderer.h"

namespace lapscope::reports {
namespace {

constexpr DiffRenderer all[] = {
    {"text", "tables for people", render_diff_text},
    {"json", "schema lapscope-diff/1", render_diff_json},
    {"markdown", "for comments on pull requests", render_diff_markdown},
};

}  // namespace

std::span<const DiffRenderer> diff_renderers() { return all; }

const DiffRenderer* find_diff_renderer(std::string_view name) {
  for (const DiffRenderer& renderer : all) {
    if (renderer.name == name) return &renderer;
  }
  return nullptr;
}

}  // namespace lapscope::reports
