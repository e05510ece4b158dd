#pragma once

#include <string>
#include <string_view>

namespace lapscope::test {

// Summarizes a Perfetto trace as text. Each track has a line below its parent. The line has the
// number of slices or values, and their first and last time in ns. The last line is a checksum of
// all bytes.
std::string tracks_of(std::string_view trace);

}  // namespace lapscope::test
