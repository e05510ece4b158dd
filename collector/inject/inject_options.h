#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "collector/request/request.h"
#include "collector/schema/tables/capture_rows.h"

namespace lapscope::inject {

// What `lapscope record` asked for, from the environment (collector/environment.h).
struct Options {
  std::filesystem::path output;  // where a capture has a number, a pattern (output_name.h) of it
  std::string session;
  std::string rank;        // empty when the process has none
  std::string world_size;  // empty when no launcher says it
  std::chrono::milliseconds flush_period{200};
  std::optional<std::string> cupti;
  std::filesystem::path note;     // may be empty
  std::filesystem::path control;  // folder of sockets of armed processes; empty: not armed
  request::Request request;
  std::vector<schema::EnvironmentRow> environment;  // variables that a trace has
};

// In one of the program's own threads: getenv in another would race with the program's setenv.
Options options_from_environment();

}  // namespace lapscope::inject
