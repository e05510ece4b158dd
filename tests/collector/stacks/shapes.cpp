#include "tests/collector/stacks/shapes.h"

#include <alloca.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <functional>

namespace {

using lapscope::test::Callback;

// A use after the call prevents a tail call.
volatile int something = 1;

[[gnu::noinline]] void plain(Callback callback, void* argument) {
  callback(argument);
  something = something + 1;
}

[[gnu::noinline]] int deep(int depth, Callback callback, void* argument) {
  std::array<volatile char, 200> room;
  room[static_cast<std::size_t>(depth)] = 1;
  if (depth == 0) {
    callback(argument);
    return something;
  }
  return deep(depth - 1, callback, argument) + room[static_cast<std::size_t>(depth)];
}

// Aligns its frame, so the distance from the stack pointer to the return address varies.
[[gnu::noinline]] void aligned(Callback callback, void* argument) {
  alignas(64) std::array<volatile char, 128> room;
  room[1] = 1;
  callback(argument);
  something = something + room[1];
}

[[gnu::noinline]] void variable(Callback callback, void* argument) {
  const auto size = static_cast<std::size_t>(something % 5 + 1) * 512;
  auto* room = static_cast<char*>(alloca(size));
  std::memset(room, something, size);
  callback(argument);
  something = something + room[size - 1];
}

[[gnu::noinline]] void large(Callback callback, void* argument) {
  std::array<volatile char, 100'000> room;
  room[0] = 1;
  room[99'999] = 1;
  callback(argument);
  something = something + room[0];
}

struct Called {
  Callback callback;
  void* argument;
};
thread_local Called called;

int compare(const void* a, const void* b) {
  if (called.callback) {
    const Called now = called;
    called = {};
    now.callback(now.argument);
  }
  return *static_cast<const int*>(a) - *static_cast<const int*>(b);
}

// Calls back through the C library.
[[gnu::noinline]] void sorting(Callback callback, void* argument) {
  called = {callback, argument};
  std::array<int, 3> numbers{3, 1, 2};
  std::qsort(numbers.data(), numbers.size(), sizeof(int), compare);
  something = something + numbers[0];
}

// Calls back through templates, while an exception is handled.
[[gnu::noinline]] void catching(Callback callback, void* argument) {
  const std::function<void(int)> function = [&](int) {
    callback(argument);
    something = something + 1;
  };
  try {
    throw 1;
  } catch (int number) {
    function(number);
  }
}

[[gnu::noinline]] int many(int a, int b, int c, int d, int e, int f, int g, int h,
                           Callback callback, void* argument) {
  callback(argument);
  return a * b + c * d + e * f + g * h + something;
}

struct Constructed {
  Constructed() {
    using Function = void (*)();
    if (auto* function = reinterpret_cast<Function>(
            ::dlsym(RTLD_DEFAULT, lapscope::test::in_constructor_name))) {
      function();
      something = something + 1;
    }
  }
};
const Constructed constructed;

}  // namespace

extern "C" __attribute__((visibility("default"))) void call_in_shape(int shape, Callback callback,
                                                                     void* argument);
void call_in_shape(int shape, Callback callback, void* argument) {
#ifdef LAPSCOPE_OTHER_SHAPES
  shape = (shape + 3) % lapscope::test::shape_count;
#endif
  switch (shape) {
    case 0:
      return plain(callback, argument);
    case 1:
      something = deep(20, callback, argument);
      return;
    case 2:
      return aligned(callback, argument);
    case 3:
      return variable(callback, argument);
    case 4:
      return large(callback, argument);
    case 5:
      return sorting(callback, argument);
    case 6:
      return catching(callback, argument);
    default:
      something = many(1, 2, 3, 4, 5, 6, 7, 8, callback, argument);
  }
}
