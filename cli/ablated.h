#pragma once

#include <cstdlib>
#include <iostream>
#include <optional>
#include <string_view>

#include "analyzer/model/ablation.h"
#include "cli/commands.h"

namespace lapscope::cli {

// For builds with LAPSCOPE_ABLATION. Applies the assumptions in the environment variable
// LAPSCOPE_ASSUME (analyzer/model/ablation.h). If the variable is "list", prints all assumptions
// instead. If the program must end, returns its exit status.
inline std::optional<int> ablated() {
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
    say(error.what());
    return usage;
  }
}

}  // namespace lapscope::cli
