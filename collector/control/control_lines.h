#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace lapscope::control {

// What `lapscope ctl` asks of an armed process.
struct Command {
  enum class Verb : std::uint8_t { start, stop, status };
  Verb verb = Verb::status;
  std::optional<std::chrono::milliseconds> duration;  // of a capture that starts
};
// As "start 5000". Nothing for another version's line that is not understood.
std::string line_of(const Command& command);
std::optional<Command> command_of(std::string_view line);

// What it answers.
struct State {
  bool is_capturing = false;
  int captures = 0;             // begun until now
  std::filesystem::path trace;  // of the last capture; empty before the first
  std::string problem;          // a sentence; empty where there is none
};
// As "capturing", number, path and problem, between tabs.
std::string line_of(const State& state);
std::optional<State> state_of(std::string_view line);

}  // namespace lapscope::control
