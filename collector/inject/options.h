#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

namespace lapscope::inject {

// What `lapscope record` asked for, from the environment (collector/environment.h).
struct Options {
  std::filesystem::path output;
  std::string session;
  std::chrono::milliseconds flush_period{200};
  std::optional<std::string> cupti;
  std::filesystem::path note;  // may be empty
};

Options options_from_environment();

}  // namespace lapscope::inject
