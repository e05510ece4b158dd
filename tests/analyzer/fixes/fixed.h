#pragma once

#include <optional>
#include <string_view>

#include "analyzer/fixes/fix.h"
#include "tests/analyzer/support/graph_tables.h"

namespace lapscope::test {

// Returns the graph of a program after fixes, such as "host-sync" or "stream-order:2 alloc-free",
// applied one after the other.
analyzer::Graph fixed(const Program& program, std::string_view fixes);

// Applies a fix only at the places where the trace shows that it is valid. Returns nothing if there
// is no such place.
std::optional<analyzer::Graph> where_shown(const Program& program, std::string_view fix);

}  // namespace lapscope::test
