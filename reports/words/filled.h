#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/model/details.h"

namespace lapscope::reports {

// Sentences with their details: {0}, {1} and so on are the details, as fmt writes them. The first
// part of [one|many] is taken if the first whole number among the details is 1.
//
//   "{0} launch[ has|es have] no kernel"   {2}   "2 launches have no kernel"
std::string filled(std::string_view text, const analyzer::Details& details);

// The names among the details from the n-th on: "CUDA_EVENT, MEMSET and SYNCHRONIZATION".
std::vector<std::string> names_from(const analyzer::Details& details, std::size_t first);
std::string listed(const std::vector<std::string>& names);
std::string list_of(const std::vector<std::string_view>& names);

}  // namespace lapscope::reports
