#pragma once

#include <cstddef>
#include <functional>

namespace lapscope::analyzer {

// Calls work(i) for each i below `count`, in several threads, one of which is the caller. There is
// one thread per processor, but at most `most` threads, or fewer if the system cannot start more. A
// thread that has finished one i takes the next i. If calls throw, the exception of the lowest i is
// rethrown after all calls have ended.
void in_parallel(std::size_t count, std::size_t most, const std::function<void(std::size_t)>& work);

}  // namespace lapscope::analyzer
