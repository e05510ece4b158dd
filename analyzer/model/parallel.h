#pragma once

#include <cstddef>
#include <functional>

namespace lapscope::analyzer {

// Calls work(i) for each i below `count`, in one thread per processor. One of these threads is the
// caller. There are at most `most` threads, and fewer if the system cannot start more. A thread
// takes the next i when its call of work() has returned. If calls throw, the exception of the
// lowest i is rethrown after all calls have ended.
void in_parallel(std::size_t count, std::size_t most, const std::function<void(std::size_t)>& work);

}  // namespace lapscope::analyzer
