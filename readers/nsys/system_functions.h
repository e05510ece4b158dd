#pragma once

#include <string_view>

#include "analyzer/model/host_samples.h"

namespace lapscope::analyzer::nsys {

// Returns what a thread waits for inside a function of the operating system's libraries, such as
// `poll` or `fwrite`. Returns ThreadState::other for an unknown function.
ThreadState state_in(std::string_view function);

}  // namespace lapscope::analyzer::nsys
