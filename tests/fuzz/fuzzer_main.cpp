#include "tests/fuzz/targets.h"

// The one of LAPSCOPE_FUZZ_TARGET, for libFuzzer.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lapscope::fuzz::LAPSCOPE_FUZZ_TARGET({data, size});
  return 0;
}
