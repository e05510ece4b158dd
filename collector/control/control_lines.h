#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace lapscope::control {

// A command of `lapscope ctl` to an armed process.
struct Command {
  enum class Verb : std::uint8_t { start, stop, status };
  Verb verb = Verb::status;
  std::optional<std::chrono::milliseconds> duration;  // of the capture; nothing: until a stop
};
// Convert a command to a line, such as "start 5000" (ms), and back. command_of() returns nothing
// for a line that it does not understand, because the line may be from another version of lapscope.
std::string line_of(const Command& command);
std::optional<Command> command_of(std::string_view line);

// The state that an armed process answers with.
struct State {
  bool is_capturing = false;
  int captures = 0;             // number of captures that have begun
  std::filesystem::path trace;  // of the last capture; empty before the first
  std::string problem;          // a sentence; empty if there is none
};
// Convert a state to a line and back. The line has "capturing" or "armed", the number of captures,
// the path and the problem, separated by tabs. state_of() returns nothing for other lines.
std::string line_of(const State& state);
std::optional<State> state_of(std::string_view line);

}  // namespace lapscope::control
