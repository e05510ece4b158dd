#pragma once

#include <string>
#include <string_view>

namespace lapscope::test {

// Summarizes a Perfetto trace as text. Each track is a line below its parent, with the number of
// its slices or values and the times of the first and last one in ns. The last line is a checksum
// of all fields but sentences (texts of at least four words).
std::string tracks_of(std::string_view trace);

}  // namespace lapscope::test
