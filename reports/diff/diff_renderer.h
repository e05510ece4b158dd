#pragma once

#include <ostream>
#include <span>
#include <string_view>

#include "analyzer/diff/comparison.h"

namespace lapscope::reports {

// One way to show a comparison. A renderer is added by a file of its own, its declaration below and
// one line in registry.cpp.
struct DiffRenderer {
  std::string_view name;  // what --format takes
  std::string_view description;
  void (*render)(const analyzer::Comparison& comparison, std::ostream& out);
};

std::span<const DiffRenderer> diff_renderers();

// Null when there is none of that name.
const DiffRenderer* find_diff_renderer(std::string_view name);

// One a file.
void render_diff_text(const analyzer::Comparison& comparison, std::ostream& out);
void render_diff_json(const analyzer::Comparison& comparison, std::ostream& out);
void render_diff_markdown(const analyzer::Comparison& comparison, std::ostream& out);

}  // namespace lapscope::reports
