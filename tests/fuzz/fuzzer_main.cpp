#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>

#include "tests/fuzz/targets.h"

// Runs the fuzz target of --target=NAME. libFuzzer ignores options with two dashes.

namespace {

const lapscope::fuzz::Target* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  constexpr std::string_view option = "--target=";
  for (int i = 1; i < *count; ++i) {
    const std::string_view argument = (*arguments)[i];
    if (!argument.starts_with(option)) continue;
    const auto named = [&](const lapscope::fuzz::Target& target) {
      return target.name == argument.substr(option.size());
    };
    const auto* found =
        std::find_if(std::begin(lapscope::fuzz::targets), std::end(lapscope::fuzz::targets), named);
    if (found != std::end(lapscope::fuzz::targets)) chosen = found;
  }
  if (chosen) return 0;
  std::fputs("fuzz: --target=NAME is missing or names none; tests/fuzz/targets.h lists them.\n",
             stderr);
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen->run({data, size});
  return 0;
}
