#include "collector/control/control_commands.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <system_error>

#include "collector/trace/output_name.h"

namespace lapscope::control {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> verbs = {"start", "stop", "status"};
constexpr std::string_view capturing = "capturing";
constexpr std::string_view armed = "armed";
constexpr double thousandths = 1000;  // factors are sent as whole numbers

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

constexpr const char* file_name = "command";
constexpr std::size_t longest_file = 4096;

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

void make_command_file(const fs::path& folder) noexcept {
  const int file = ::open((folder / file_name).c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (file >= 0) ::close(file);
}

// The first line makes each command unique, so that a repeated command is read as a new one. The
// file is renamed into its place, so that nobody reads half a command.
void write_command_file(const fs::path& folder, const Command& command) {
  const std::string writer = trace::host_name() + "." + std::to_string(::getpid());
  const fs::path early = folder / ("." + std::string(file_name) + "." + writer);
  std::ofstream file(early, std::ios::trunc);
  file << writer << ' ' << std::chrono::system_clock::now().time_since_epoch().count() << '\n'
       << line_of(command) << '\n';
  file.close();
  if (!file || std::rename(early.c_str(), (folder / file_name).c_str()) != 0) {
    const std::system_error error(errno, std::generic_category(), (folder / file_name).string());
    ::unlink(early.c_str());
    throw error;
  }
}

void remove_unused(const fs::path& folder) noexcept {
  std::error_code ignored;
  for (fs::directory_iterator entry(folder, ignored), end; entry != end; entry.increment(ignored)) {
    if (entry->path().filename() != file_name) return;
  }
  fs::remove(folder / file_name, ignored);
  fs::remove(folder, ignored);
}

CommandFile::CommandFile(const fs::path& folder) : path_(folder / file_name), last_(read()) {}

// Opening the file makes NFS ask the server for its current contents.
std::string CommandFile::read() const {
  std::ifstream file(path_);
  std::string text(longest_file, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

std::optional<Command> CommandFile::next() {
  std::string text = read();
  if (text.empty() || text == last_) return std::nullopt;
  last_ = std::move(text);
  const std::size_t begin = last_.find('\n') + 1;  // 0 if there is no line
  const std::size_t end = last_.find('\n', begin);
  if (begin == 0 || end == std::string::npos) return std::nullopt;
  return command_of(std::string_view(last_).substr(begin, end - begin));
}

}  // namespace lapscope::control
