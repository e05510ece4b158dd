#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "collector/request/request.h"
#include "collector/schema/tables/capture_rows.h"

namespace lapscope::inject {

// The options of `lapscope record`, from the environment (collector/environment.h).
struct Options {
  std::filesystem::path output;  // for an armed process, a pattern with %n (output_name.h)
  std::string session;
  std::string rank;        // empty if the process has none
  std::string world_size;  // empty if the launcher does not set it
  std::chrono::milliseconds flush_period{200};
  std::optional<std::string> cupti;
  std::filesystem::path note;     // file for failures to write a trace; may be empty
  std::filesystem::path control;  // folder of sockets of armed processes; empty if not armed
  request::Request request;
  std::vector<schema::EnvironmentRow> environment;  // variables to store in the trace
};

// Reads the options. Must be called in a thread of the program: getenv in another thread could run
// at the same time as the program's setenv.
Options options_from_environment();

}  // namespace lapscope::inject
