#pragma once

#include <cstddef>
#include <functional>

namespace lapscope::analyzer {

// Calls work(i) for each i below `count`, in several threads, of which the caller is one: as many
// as there are processors, but `most`, and fewer where the system gives no more. They take the next
// i when they are done with one. What the first i threw, if any, is thrown when all have ended.
void in_parallel(std::size_t count, std::size_t most, const std::function<void(std::size_t)>& work);

}  // namespace lapscope::analyzer
