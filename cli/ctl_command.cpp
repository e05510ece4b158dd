#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/number_checks.h"
#include "collector/control/armed_processes.h"
#include "collector/control/control_commands.h"
#include "reports/words/format.h"

namespace lapscope::cli {
namespace {

namespace fs = std::filesystem;
using control::Answer;
using Verb = control::Command::Verb;

struct CtlOptions {
  std::string where;
  control::Command command;
  double seconds = 0;       // 0: no limit
  double kept_seconds = 0;  // 0: no limit
  bool all_machines = false;
};

constexpr const char* of_start = "Begin and end of a capture (with start)";
constexpr std::int64_t most_iterations = 1'000'000'000'000;

// Checks that a text can be a name: it must not contain tabs or newlines, because names are sent in
// lines whose parts are separated by tabs.
const CLI::Validator is_name(
    [](const std::string& name) {
      return name.empty() || name.find_first_of("\t\n") != std::string::npos
                 ? std::string("a name has at least one character, and no tab or newline")
                 : std::string();
    },
    "");

struct Place {
  fs::path folder;            // of the control sockets
  std::optional<pid_t> only;  // only this process
};

// Returns the place that `where` names. If `where` is a number and no folder has this name, it is a
// process ID. Otherwise, it is the folder into which `record` writes.
Place place_of(const std::string& where) {
  pid_t process = 0;
  const auto [end, error] = std::from_chars(where.data(), where.data() + where.size(), process);
  const bool is_number = error == std::errc{} && end == where.data() + where.size();
  if (!is_number || fs::is_directory(where)) return {control::folder_beside(where), std::nullopt};
  const auto folder = control::folder_of(process);
  if (!folder) return {};
  // If `process` does not answer, the command is sent to all processes of the folder. For example,
  // torchrun does not answer, because it does not use CUDA.
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
  if (!state.note.empty()) line += ", " + reports::printable(state.note);
  if (!state.refusal.empty()) line += "; " + reports::printable(state.refusal);
  if (!state.problem.empty()) line += "; " + reports::printable(state.problem);
  return line;
}

int write_command(const Place& place, const control::Command& command) {
  if (!fs::is_directory(place.folder)) {
    say("there is no '", place.folder.string(),
        "': start the program with `lapscope record --armed`, and give its -o folder.");
    return unreadable;
  }
  try {
    control::write_command_file(place.folder, command);
  } catch (const std::system_error& error) {
    say("the command could not be written: ", error.what(), ".");
    return unreadable;
  }
  std::cout << "written to " << reports::printable((place.folder / "command").string())
            << ": armed processes on all machines read it within about a second\n";
  return good;
}

int control_processes(const CtlOptions& options) {
  const Place place = place_of(options.where);
  control::Command command = options.command;
  if (options.seconds > 0) command.duration = milliseconds(options.seconds);
  if (options.kept_seconds > 0) command.keep = milliseconds(options.kept_seconds);
  if (options.all_machines) return write_command(place, command);
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
    const bool is_fine =
        answer.state && answer.state->problem.empty() && answer.state->refusal.empty();
    have_all_answered = have_all_answered && is_fine;
    std::cout << line_of(answer) << '\n';
  }
  return have_all_answered ? good : inconclusive;
}

// Checks the combination of options. Throws CLI::ValidationError if options exclude each other.
void check(const CtlOptions& options) {
  const control::Command& command = options.command;
  const bool starts = command.verb == Verb::start;
  const std::pair<const char*, bool> of_start_alone[] = {
      {"--for", options.seconds > 0},
      {"--from", command.from.has_value()},
      {"--when-slower", command.slower.has_value()},
      {"--iterations", command.iterations.has_value()},
      {"--until-range", command.until_range.has_value()},
      {"--keep", options.kept_seconds > 0},
      {"--light", command.is_light}};
  for (const auto& [name, is_given] : of_start_alone) {
    if (is_given && !starts) throw CLI::ValidationError(name, "only start takes it");
  }
  if (command.slower && command.from) {
    throw CLI::ValidationError("--when-slower",
                               "leave it or --from out: each of them begins the capture");
  }
  const bool has_iterations = command.from || command.iterations;
  if (options.kept_seconds > 0 && (has_iterations || (command.slower && command.until_range))) {
    throw CLI::ValidationError(
        "--keep",
        "leave out --from and --iterations, and take only one of --when-slower and --until-range");
  }
  if (options.all_machines && command.verb == Verb::status) {
    throw CLI::ValidationError("--all-machines", "status shows only the processes of this machine");
  }
  if (options.all_machines && !fs::is_directory(options.where)) {
    throw CLI::ValidationError("--all-machines", "it needs the folder that the program records to");
  }
  if (options.all_machines && command.from && command.iteration_range.empty()) {
    throw CLI::ValidationError(
        "--all-machines", "with --from, it needs --range: processes must count the same range");
  }
  if (command.until_range && command.iterations) {
    throw CLI::ValidationError("--until-range",
                               "leave it or --iterations out: each of them ends the capture");
  }
  if (!command.iteration_range.empty() && !command.uses_iterations()) {
    throw CLI::ValidationError("--range", "it needs --iterations, --from or --when-slower");
  }
}

}  // namespace

void add_ctl(CLI::App& app) {
  auto options = std::make_shared<CtlOptions>();
  CLI::App* command =
      app.add_subcommand("ctl", "Begin and end captures of programs that `record --armed` started");
  command
      ->add_option(
          "WHERE", options->where,
          "The folder that `lapscope record --armed -o FOLDER/` writes to, or a process id")
      ->required();
  command
      ->add_option_function<std::string>(
          "ACTION",
          [options](const std::string& action) {
            options->command.verb = control::command_of(action)->verb;
          },
          "start begins a capture, stop ends it, status shows the state of each process")
      ->required()
      ->check(CLI::IsMember({"start", "stop", "status"}));
  const auto add_time = [command](const char* name, double& seconds, double most,
                                  const char* what) {
    command->add_option(name, seconds, what)
        ->transform(CLI::AsNumberWithUnit(
            std::map<std::string, double>{{"s", 1}, {"ms", 1e-3}, {"min", 60}}))
        ->check(CLI::Range(0.001, most))
        ->type_name("TIME")
        ->group(of_start);
  };
  add_time("--for", options->seconds, 1e6, "End the capture after this time (5s, 200ms)");
  add_time(
      "--keep", options->kept_seconds, static_cast<double>(control::most_kept.count()),
      "Write only this last part of the capture. Until the capture ends, records stay in memory");
  command
      ->add_option("--iterations", options->command.iterations,
                   "End the capture after N whole iterations")
      ->check(CLI::Range(std::int64_t{1}, most_iterations))
      ->type_name("N")
      ->group(of_start);
  command
      ->add_option("--from", options->command.from,
                   "Begin with iteration N. Iteration 1 is the first after the first use of CUDA")
      ->check(CLI::Range(std::int64_t{1}, most_iterations))
      ->type_name("N")
      ->group(of_start);
  command
      ->add_option("--when-slower", options->command.slower,
                   "Begin after a slow iteration. It takes more than FACTOR times the median of up "
                   "to 64 iterations before it. With --keep, end after a slow iteration")
      ->check(CLI::Range(1.01, 1000.0))
      ->type_name("FACTOR")
      ->group(of_start);
  command
      ->add_option("--range", options->command.iteration_range,
                   "NVTX range that the program opens in each iteration. Default: the range of the "
                   "outermost loop")
      ->check(is_name)
      ->type_name("NAME")
      ->group(of_start);
  command
      ->add_option("--until-range", options->command.until_range,
                   "End the capture when an NVTX range of this name begins")
      ->check(is_name)
      ->type_name("NAME")
      ->group(of_start);
  command
      ->add_flag("--light", options->command.is_light,
                 "Record what `record --light` records, and all other calls. This is enough for "
                 "measures, but not for causes")
      ->group(of_start);
  command->add_flag("--all-machines", options->all_machines,
                    "Also reach armed processes on other machines, through a file in the folder. "
                    "They read this file once a second");
  command->footer(
      "ctl prints a line for each armed process: its id, whether it captures, and its "
      "trace.\nExamples:\n  lapscope record --armed -o out/ -- torchrun train.py &\n  lapscope ctl "
      "out/ start --for 5s\n  lapscope ctl out/ start --from 100 --iterations 20\n  lapscope ctl "
      "out/ start --keep 5s --when-slower 1.3\n  lapscope ctl out/ status\nExit status: 0 if all "
      "processes carried out the command; 2 for a usage error;\n3 if a process did not carry it "
      "out; 4 if there is no armed process.");
  command->callback([options] {
    check(*options);
    exit_with(control_processes(*options));
  });
}

}  // namespace lapscope::cli
