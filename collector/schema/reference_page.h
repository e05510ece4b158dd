#pragma once

#include <string>

namespace lapscope::schema {

// Returns docs/trace-format.md: every table and column with type, unit, origin and meaning, in
// Markdown.
std::string reference_page();

}  // namespace lapscope::schema
