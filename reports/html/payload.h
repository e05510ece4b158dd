#pragma once

#include <string>
#include <string_view>

namespace lapscope::reports {

// Raw DEFLATE (RFC 1951), which browsers inflate by themselves. Throws std::runtime_error when
// memory does not suffice.
std::string deflated(std::string_view bytes);

std::string base64(std::string_view bytes);

}  // namespace lapscope::reports
