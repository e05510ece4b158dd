#pragma once

#include <string_view>

#include "analyzer/fixes/fix.h"
#include "tests/analyzer/support/graph_tables.h"

namespace lapscope::test {

// The graph of a program with a fix made on it, or several, one after the other: "host-sync",
// "stream-order:2 alloc-free".
analyzer::Graph fixed(const Program& program, std::string_view fixes);

}  // namespace lapscope::test
