#include "collector/control/control_lines.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace lapscope::control {
namespace {

constexpr std::array<std::string_view, 3> verbs = {"start", "stop", "status"};
constexpr std::string_view capturing = "capturing";
constexpr std::string_view armed = "armed";

// Removes the beginning of the text up to and including the next separator. Returns what was before
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

// Replaces tabs and newlines, because a tab ends a part of a line and a newline ends the line.
std::string in_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n'; }, ' ');
  return text;
}

}  // namespace

std::string line_of(const Command& command) {
  std::string line(verbs.at(static_cast<std::size_t>(command.verb)));
  if (command.duration) line += " " + std::to_string(command.duration->count());
  return line;
}

std::optional<Command> command_of(std::string_view line) {
  const auto* const verb = std::find(verbs.begin(), verbs.end(), take(line, ' '));
  if (verb == verbs.end()) return std::nullopt;
  Command command{static_cast<Command::Verb>(verb - verbs.begin()), std::nullopt};
  if (line.empty()) return command;
  const auto duration = number_of<std::int64_t>(line);
  if (!duration) return std::nullopt;
  command.duration = std::chrono::milliseconds(*duration);
  return command;
}

std::string line_of(const State& state) {
  return std::string(state.is_capturing ? capturing : armed) + "\t" +
         std::to_string(state.captures) + "\t" + in_line(state.trace.string()) + "\t" +
         in_line(state.problem);
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
  state.problem = line;
  return state;
}

}  // namespace lapscope::control
