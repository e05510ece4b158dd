#pragma once

#include <cstdlib>
#include <iostream>
#include <optional>
#include <string_view>

#include "analyzer/model/ablation.h"
#include "cli/commands.h"

namespace lapscope::cli {

// For builds with LAPSCOPE_ABLATION alone: does what LAPSCOPE_ASSUME says
// (analyzer/model/ablation.h), or lists all that it may say if that is "list". Returns the status
// to exit with; nothing if the command continues.
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
