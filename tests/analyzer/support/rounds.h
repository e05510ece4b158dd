#pragma once

namespace lapscope::test {

// Returns the number of random inputs for a property. With AddressSanitizer, it is a quarter,
// because each input takes more time.
constexpr unsigned rounds(unsigned all) {
#ifdef __SANITIZE_ADDRESS__
  return all / 4;
#else
  return all;
#endif
}

}  // namespace lapscope::test
