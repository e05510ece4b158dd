#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "collector/request/request.h"

namespace lapscope::inject {

// What `lapscope record` asked for, from the environment (collector/environment.h).
struct Options {
  std::filesystem::path output;
  std::string session;
  std::string rank;  // empty when the process has none
  std::chrono::milliseconds flush_period{200};
  std::optional<std::string> cupti;
  std::filesystem::path note;  // may be empty
  request::Request request;
};

Options options_from_environment();

}  // namespace lapscope::inject
