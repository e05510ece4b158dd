#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lapscope::workloads {

// The candidate that takes the fewest edits (insert, delete, replace a character) to become `name`,
// or nothing if even that one would need more than half of its characters changed.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace lapscope::workloads
