#pragma once

#include <string>
#include <string_view>

namespace lapscope::trace {

// Returns the name without return type, namespaces, template arguments and parameters: "scan" for
// "void ns::scan<int>(int*, int)". The result is like Nsight Systems' shortName.
std::string short_name(std::string_view demangled);

}  // namespace lapscope::trace
