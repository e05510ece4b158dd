#pragma once

namespace lapscope::test {

// Returns how many random inputs a test tries: `all`. With AddressSanitizer, which makes tests
// slow, returns a quarter of `all`.
constexpr unsigned rounds(unsigned all) {
#ifdef __SANITIZE_ADDRESS__
  return all / 4;
#else
  return all;
#endif
}

}  // namespace lapscope::test
