#pragma once

#include <string_view>

#include "analyzer/model/host_samples.h"

namespace lapscope::analyzer::nsys {

// What a thread waits for in a function of the operating system's libraries: `poll`, `fwrite`. One
// that is not known is ThreadState::other.
ThreadState state_in(std::string_view function);

}  // namespace lapscope::analyzer::nsys
