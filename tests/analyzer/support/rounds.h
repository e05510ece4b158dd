#pragma once

namespace lapscope::test {

// How many random inputs a property is tried with: a quarter where AddressSanitizer, which takes
// several times as long, looks for other things.
constexpr unsigned rounds(unsigned all) {
#ifdef __SANITIZE_ADDRESS__
  return all / 4;
#else
  return all;
#endif
}

}  // namespace lapscope::test
