#pragma once

#include <filesystem>
#include <string>

namespace lapscope::launch {

struct CollectorLibrary {
  std::filesystem::path path;
  std::string problem;  // a sentence when path is empty
};

// The library to inject: $LAPSCOPE_COLLECTOR, or the one that was built or installed with this
// command, found relative to the command's own file.
CollectorLibrary find_collector();

}  // namespace lapscope::launch
