#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/model/details.h"

namespace lapscope::reports {

// Fills the details into a sentence. Replaces {0}, {1} and so on by details, as fmt does. Replaces
// [one|many] by `one` if the first integer among the details is 1, and else by `many`.
//
//   filled("{0} launch[ has|es have] no kernel", {2}) returns "2 launches have no kernel"
std::string filled(std::string_view text, const analyzer::Details& details);

// names_from() returns the strings among the details from index `first` on. listed() and list_of()
// join names: "CUDA_EVENT, MEMSET and SYNCHRONIZATION".
std::vector<std::string> names_from(const analyzer::Details& details, std::size_t first);
std::string listed(const std::vector<std::string>& names);
std::string list_of(const std::vector<std::string_view>& names);

}  // namespace lapscope::reports
