#include "analyzer/model/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace lapscope::analyzer {

void in_parallel(std::size_t count, std::size_t most,
                 const std::function<void(std::size_t)>& work) {
  std::vector<std::exception_ptr> thrown(count);
  std::atomic<std::size_t> next = 0;
  const auto take_all = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        thrown[i] = std::current_exception();
      }
    }
  };
  const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::thread> others;
  while (others.size() + 1 < std::min({count, most, processors})) {
    try {
      others.emplace_back(take_all);
    } catch (const std::system_error&) {
      break;
    }
  }
  take_all();
  for (std::thread& other : others) other.join();
  for (const std::exception_ptr& one : thrown) {
    if (one) std::rethrow_exception(one);
  }
}

}  // namespace lapscope::analyzer
