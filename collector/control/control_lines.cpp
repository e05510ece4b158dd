#include "collector/control/control_lines.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace lapscope::control {
namespace {

constexpr std::array<std::string_view, 3> verbs = {"start", "stop", "status"};
constexpr std::string_view capturing = "capturing";
constexpr std::string_view armed = "armed";
constexpr double thousandths = 1000;  // factors are sent as whole numbers

// Removes the beginning of the text up to and including the next separator. Returns the text before
// the separator.
std::string_view take(std::string_view& text, char separator) {
  const std::string_view part = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(text.size(), part.size() + 1));
  return part;
}

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

// Replaces tabs and newlines by blanks. In a line, a tab ends a part, and a newline ends the line.
std::string in_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n'; }, ' ');
  return text;
}

}  // namespace

std::string line_of(const Command& command) {
  std::string line(verbs.at(static_cast<std::size_t>(command.verb)));
  const auto add = [&line](std::string_view name, const std::string& value) {
    line += "\t" + std::string(name) + "=" + in_line(value);
  };
  if (command.duration) add("duration", std::to_string(command.duration->count()));
  if (!command.iteration_range.empty()) add("range", command.iteration_range);
  if (command.from) add("from", std::to_string(*command.from));
  if (command.slower) add("slower", std::to_string(std::llround(*command.slower * thousandths)));
  if (command.iterations) add("iterations", std::to_string(*command.iterations));
  if (command.until_range) add("until", *command.until_range);
  if (command.keep) add("keep", std::to_string(command.keep->count()));
  if (command.is_light) add("light", "1");
  return line;
}

std::optional<Command> command_of(std::string_view line) {
  const auto* const verb = std::find(verbs.begin(), verbs.end(), take(line, '\t'));
  if (verb == verbs.end()) return std::nullopt;
  Command command;
  command.verb = static_cast<Command::Verb>(verb - verbs.begin());
  while (!line.empty()) {
    std::string_view value = take(line, '\t');
    const std::string_view name = take(value, '=');
    if (name == "range") {
      command.iteration_range = value;
    } else if (name == "until") {
      command.until_range = value;
    } else {
      const auto number = number_of<std::int64_t>(value);
      if (!number) return std::nullopt;
      if (name == "duration") {
        command.duration = std::chrono::milliseconds(*number);
      } else if (name == "from") {
        command.from = number;
      } else if (name == "slower") {
        command.slower = static_cast<double>(*number) / thousandths;
      } else if (name == "iterations") {
        command.iterations = number;
      } else if (name == "keep") {
        command.keep = std::chrono::milliseconds(*number);
      } else if (name == "light") {
        command.is_light = *number != 0;
      } else {
        return std::nullopt;
      }
    }
  }
  return command;
}

std::string line_of(const State& state) {
  return std::string(state.is_capturing ? capturing : armed) + "\t" +
         std::to_string(state.captures) + "\t" + in_line(state.trace.string()) + "\t" +
         in_line(state.problem) + "\t" + in_line(state.refusal) + "\t" + in_line(state.note);
}

std::optional<State> state_of(std::string_view line) {
  State state;
  const std::string_view what = take(line, '\t');
  if (what != capturing && what != armed) return std::nullopt;
  state.is_capturing = what == capturing;
  const auto captures = number_of<int>(take(line, '\t'));
  if (!captures) return std::nullopt;
  state.captures = *captures;
  state.trace = take(line, '\t');
  state.problem = take(line, '\t');
  state.refusal = take(line, '\t');
  state.note = line;
  return state;
}

}  // namespace lapscope::control
