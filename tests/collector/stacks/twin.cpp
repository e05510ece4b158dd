#include <array>

#include "tests/collector/stacks/shapes.h"

// This library is built twice, with frames of different sizes. The loader cannot tell the builds
// apart. Only the place of the return address in the frame differs.
extern "C" __attribute__((visibility("default"))) void call_in_shape(
    int shape, lapscope::test::Callback callback, void* argument);
void call_in_shape(int shape, lapscope::test::Callback callback, void* argument) {
  std::array<volatile char, LAPSCOPE_FRAME_SIZE> room;
  room[0] = static_cast<char>(shape);
  callback(argument);
  room[1] = room[0];
}
