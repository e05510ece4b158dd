#include <array>

#include "tests/collector/stacks/shapes.h"

// Built twice, with frames of another size: all that the loader reports about the two is the same,
// but where a frame's caller is found is not.
extern "C" __attribute__((visibility("default"))) void call_in_shape(
    int shape, lapscope::test::Callback callback, void* argument);
void call_in_shape(int shape, lapscope::test::Callback callback, void* argument) {
  std::array<volatile char, LAPSCOPE_FRAME_SIZE> room;
  room[0] = static_cast<char>(shape);
  callback(argument);
  room[1] = room[0];
}
