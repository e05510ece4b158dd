#include <malloc.h>

#include <algorithm>

#include "cli/command_line.h"
#ifdef LAPSCOPE_ABLATION
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string_view>

#include "analyzer/model/ablation.h"
#include "cli/commands.h"

namespace {

// Applies the assumptions in the environment variable LAPSCOPE_ASSUME (analyzer/model/ablation.h).
// If the variable is "list", prints all assumptions instead. Returns the exit status if the program
// must end, and empty otherwise.
std::optional<int> ablated() {
  using namespace lapscope;
  const char* text = std::getenv(analyzer::ablation_variable);
  if (text == nullptr) return std::nullopt;
  try {
    if (std::string_view(text) != "list") {
      analyzer::assume(text);
      return std::nullopt;
    }
    analyzer::list_assumptions(std::cout);
    return 0;
  } catch (const std::exception& error) {
    cli::say(error.what());
    return cli::usage;
  }
}

}  // namespace
#endif

int main(int argc, char** argv) {
  // A trace has large columns. glibc maps each block above a threshold separately, and returns it
  // to the system when the block is freed. By default, glibc raises this threshold when a large
  // block is freed, so that later blocks are not returned to the system. A fixed threshold prevents
  // this.
  constexpr int mapped_from = 1 << 20;  // bytes
  ::mallopt(M_MMAP_THRESHOLD, mapped_from);
#ifdef LAPSCOPE_ABLATION
  if (const auto status = ablated()) return *status;
#endif
  return lapscope::cli::run({argv + std::min(argc, 1), argv + argc});
}
