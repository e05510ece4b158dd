#pragma once

#include <string>
#include <string_view>

namespace lapscope::test {

// A Perfetto trace in few words: a line for each of its tracks, below the one it belongs to, with
// how many slices or values it has and from when to when, in ns; then a checksum of all bytes.
std::string tracks_of(std::string_view trace);

}  // namespace lapscope::test
