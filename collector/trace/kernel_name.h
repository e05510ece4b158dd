#pragma once

#include <string>
#include <string_view>

namespace lapscope::trace {

// "void ns::scan<int>(int*, int)" -> "scan": without return type, namespaces, template arguments
// and parameters, as Nsight Systems' shortName.
std::string short_name(std::string_view demangled);

}  // namespace lapscope::trace
