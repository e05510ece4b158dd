#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "collector/launch/recording.h"

namespace lapscope::cli {
namespace {

struct RecordOptions {
  std::string output = "lapscope.sqlite";
  std::string cupti;
  unsigned flush_ms = 200;
  request::Request request;
};

int status_of(const launch::Refusal& refusal) {
  switch (refusal.kind) {
    case launch::Refusal::Kind::usage:
      return usage;
    case launch::Refusal::Kind::io:
      return unreadable;
    case launch::Refusal::Kind::program:
      break;
  }
  return refusal.exit_status;
}

// The one line that `record` prints, after the program's own output.
std::string summary(const launch::Recording& recording) {
  const double seconds = static_cast<double>(recording.program.elapsed_ns) / 1e9;
  if (recording.traces.empty()) {
    return fmt::format(
        "nothing was recorded in {:.1f} s: {}", seconds,
        recording.trouble.empty() ? "the program did not use CUDA." : recording.trouble);
  }
  std::int64_t ops = 0;
  std::int64_t losses = 0;
  std::string files;
  std::string notes;
  for (const trace::Content& content : recording.traces) {
    ops += content.ops;
    losses += content.losses;
    files += (files.empty() ? "" : ", ") + content.path.string();
    if (content.problem) {
      notes += fmt::format("; nothing was recorded of it: {}", *content.problem);
    } else if (content.write_error) {
      notes += fmt::format("; it could not be written to its end: {}", *content.write_error);
    } else if (content.still_written) {
      notes += "; a process that outlives the program is still writing it";
    } else if (!content.complete) {
      notes += "; the program ended without its exit handlers, so the last moments are missing";
    }
  }
  return fmt::format("{} ops in {:.1f} s, {} records lost: {}{}", ops, seconds, losses, files,
                     notes) +
         (recording.trouble.empty() ? "" : "; " + recording.trouble);
}

int record_program(const RecordOptions& chosen, const std::vector<std::string>& command) {
  launch::RecordOptions options;
  options.output = chosen.output;
  options.command = command;
  options.flush_period = std::chrono::milliseconds(chosen.flush_ms);
  options.request = chosen.request;
  if (!chosen.cupti.empty()) options.cupti = chosen.cupti;

  const launch::Recording recording = launch::record(options);
  if (recording.refusal) {
    std::cerr << "lapscope: " << recording.refusal->sentence << '\n';
    return status_of(*recording.refusal);
  }
  if (!recording.program.problem.empty()) {
    std::cerr << "lapscope: " << recording.program.problem << '\n';
    return recording.program.exit_status;
  }
  std::cerr << "lapscope: " << summary(recording) << '\n';
  return recording.program.exit_status;
}

}  // namespace

void add_record(CLI::App& app, std::vector<std::string> program) {
  auto options = std::make_shared<RecordOptions>();
  CLI::App* command = app.add_subcommand("record", "Run a program and record its GPU work");
  command->add_option("-o,--output", options->output, "Where to write the trace")
      ->capture_default_str();
  command
      ->add_option("--flush-ms", options->flush_ms,
                   "Write out records this often; a killed program loses at most that much")
      ->check(CLI::Range(10U, 60'000U))
      ->capture_default_str();
  command->add_option("--cupti", options->cupti,
                      "The libcupti to load, unless the program has one of its own");
  for (const request::GroupText& group : request::groups()) {
    const std::string name(group.name);
    const std::string what(group.what);
    command
        ->add_flag_callback(
            (group.by_default ? "--no-" : "--") + name,
            [options, &group] { options->request.set(group.group, !group.by_default); },
            (group.by_default ? "Do not record " : "Record ") + what)
        ->group("What is recorded");
  }
  command->add_flag("--yield-to-app", options->request.yields_to_app,
                    "Let a profiler inside the program have CUPTI when it wants it");
  command->footer(
      "After -- come the program and its arguments.\n"
      "Example:\n  lapscope record -o t.sqlite -- ./app --its-options\n"
      "Exit status: the program's own (128 + n for signal n, 126 and 127 when it cannot be run);\n"
      "2 for a request that cannot be carried out, 4 for a file that cannot be written.");
  command->callback([options, program = std::move(program)] {
    if (program.empty()) throw CLI::RequiredError("-- and the program to run");
    const int status = record_program(*options, program);
    if (status != good) throw CLI::RuntimeError(status);
  });
}

}  // namespace lapscope::cli
