#include "collector/process/thread_number.h"

#include <dlfcn.h>

#include <latch>
#include <set>
#include <thread>
#include <vector>

#include "tests/catch.h"
#include "tests/collector/support/heap.h"

namespace lapscope::process {
namespace {

TEST_CASE("a thread keeps its number, and gets none that another one had", "[process]") {
  const std::uint32_t own = thread_number();
  CHECK(own > 0);
  CHECK(thread_number() == own);
  std::set<std::uint32_t> numbers{own};
  // A later thread may get the stack and the id of an ended thread, but has a new number.
  for (int i = 0; i < 50; ++i) {
    std::uint32_t number = 0;
    std::thread([&number] { number = thread_number(); }).join();
    CHECK(numbers.insert(number).second);
  }
}

// One thread runs before the library is loaded, the other starts later.
TEST_CASE("asking for the number in a loaded library allocates nothing", "[process]") {
#if !defined(__x86_64__) || defined(__clang__) || defined(__SANITIZE_THREAD__)
  test::skip_because("this compiler, or its sanitizer, places variables of threads otherwise");
#endif
  using Ask = std::uint32_t (*)();
  std::latch is_loaded(1);
  Ask ask = nullptr;
  std::size_t before[2] = {};
  std::size_t after[2] = {};
  std::uint32_t numbers[2] = {};
  const auto measure = [&](int i) {
    before[i] = test::heap_in_use();  // the first query itself allocates memory
    before[i] = test::heap_in_use();
    numbers[i] = ask();
    after[i] = test::heap_in_use();
  };
  std::thread early([&] {
    is_loaded.wait();
    measure(0);
  });
  void* library = ::dlopen(LAPSCOPE_THREAD_NUMBER_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (library) ask = reinterpret_cast<Ask>(::dlsym(library, "number_of_this_thread"));
  const bool has_library = ask != nullptr;
  if (!has_library) ask = [] { return std::uint32_t{0}; };
  is_loaded.count_down();
  early.join();
  std::thread([&] { measure(1); }).join();
  REQUIRE(has_library);
  CHECK(after[0] == before[0]);
  CHECK(after[1] == before[1]);
  CHECK(numbers[0] != numbers[1]);
}

}  // namespace
}  // namespace lapscope::process
