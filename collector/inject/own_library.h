#pragma once

#include <filesystem>

namespace lapscope::inject {

// The folder that the collector library was loaded from.
std::filesystem::path own_folder();

}  // namespace lapscope::inject
