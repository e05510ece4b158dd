#pragma once

#include <optional>
#include <string_view>

#include "analyzer/fixes/fix.h"
#include "tests/analyzer/support/graph_tables.h"

namespace lapscope::test {

// The graph of a program with a fix made on it, or several, one after the other: "host-sync",
// "stream-order:2 alloc-free".
analyzer::Graph fixed(const Program& program, std::string_view fixes);

// With one made where the trace shows that it may be; nothing where it shows that nowhere.
std::optional<analyzer::Graph> where_shown(const Program& program, std::string_view fix);

}  // namespace lapscope::test
