#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "collector/control/armed_processes.h"
#include "reports/words/format.h"

namespace lapscope::cli {
namespace {

namespace fs = std::filesystem;
using control::Answer;
using Verb = control::Command::Verb;

struct CtlOptions {
  std::string where;
  Verb verb = Verb::status;
  double seconds = 0;  // 0: until it is stopped
};

struct Place {
  fs::path folder;            // of the control sockets
  std::optional<pid_t> only;  // only this process
};

// Interprets `where` as a process ID if it is a number and no folder has this name. Otherwise,
// interprets `where` as the folder into which `record` writes.
Place place_of(const std::string& where) {
  pid_t process = 0;
  const auto [end, error] = std::from_chars(where.data(), where.data() + where.size(), process);
  const bool is_number = error == std::errc{} && end == where.data() + where.size();
  if (!is_number || fs::is_directory(where)) return {control::folder_beside(where), std::nullopt};
  const auto folder = control::folder_of(process);
  if (!folder) return {};
  // If `process` itself does not answer, all processes of the folder are meant. Launchers such as
  // torchrun start the processes that use CUDA, but do not use CUDA themselves.
  const bool is_itself = !control::ask(*folder, {}, process).empty();
  return {*folder, is_itself ? std::optional(process) : std::nullopt};
}

std::string line_of(const Answer& answer) {
  if (!answer.state) return fmt::format("{}: {}", answer.process, answer.problem);
  const control::State& state = *answer.state;
  const std::string trace =
      state.trace.empty() ? "" : " " + reports::printable(state.trace.string());
  std::string line =
      fmt::format("{}: {}", answer.process, state.is_capturing ? "captures" : "armed");
  if (state.is_capturing) line += trace;
  if (!state.is_capturing && state.captures > 0) {
    line += fmt::format(", {} captured until now, last{}", state.captures,
                        trace.empty() ? " without GPU work" : trace);
  }
  if (!state.problem.empty()) line += "; " + reports::printable(state.problem);
  return line;
}

int control_processes(const CtlOptions& options) {
  const Place place = place_of(options.where);
  control::Command command{options.verb, std::nullopt};
  if (options.seconds > 0) {
    command.duration = std::chrono::milliseconds(std::llround(options.seconds * 1000));
  }
  std::vector<Answer> answers;
  if (!place.folder.empty()) answers = control::ask(place.folder, command, place.only);
  if (answers.empty()) {
    say("no armed process of this machine was found by '", options.where,
        "': start the program with `lapscope record --armed`, and give its -o folder or the number "
        "of a process that uses CUDA.");
    return unreadable;
  }
  bool have_all_answered = true;
  for (const Answer& answer : answers) {
    const bool is_fine = answer.state && answer.state->problem.empty();
    have_all_answered = have_all_answered && is_fine;
    std::cout << line_of(answer) << '\n';
  }
  return have_all_answered ? good : inconclusive;
}

}  // namespace

void add_ctl(CLI::App& app) {
  auto options = std::make_shared<CtlOptions>();
  CLI::App* command =
      app.add_subcommand("ctl", "Begin and end captures of programs that run armed");
  command
      ->add_option(
          "WHERE", options->where,
          "The folder that `lapscope record --armed -o FOLDER/` writes to, or a process id")
      ->required();
  command
      ->add_option_function<std::string>(
          "ACTION",
          [options](const std::string& action) {
            options->verb = control::command_of(action)->verb;
          },
          "start, stop or status")
      ->required()
      ->check(CLI::IsMember({"start", "stop", "status"}));
  command
      ->add_option("--for", options->seconds,
                   "With start: end the capture after this time (5s, 200ms)")
      ->transform(
          CLI::AsNumberWithUnit(std::map<std::string, double>{{"s", 1}, {"ms", 1e-3}, {"min", 60}}))
      ->check(CLI::Range(0.001, 1e6))
      ->type_name("TIME");
  command->footer(
      "Each armed process prints a line: its id, whether it captures, and its trace.\n"
      "Examples:\n  lapscope record --armed -o out/ -- torchrun train.py &\n"
      "  lapscope ctl out/ start --for 5s\n  lapscope ctl out/ status\n"
      "Exit status: 0 if all processes did what was asked; 2 for a usage error; 3 if one did not;\n"
      "4 if there is no armed process.");
  command->callback([options] {
    if (options->seconds > 0 && options->verb != Verb::start) {
      throw CLI::ValidationError("--for", "it belongs to start");
    }
    exit_with(control_processes(*options));
  });
}

}  // namespace lapscope::cli
