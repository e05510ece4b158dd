#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/number_checks.h"
#include "collector/doctor/checks.h"
#include "collector/launch/bare_runs.h"
#include "collector/launch/recorder_calibration.h"
#include "collector/launch/recording.h"
#include "collector/symbols/module_symbols.h"
#include "collector/symbols/symbolize.h"
#include "reports/words/format.h"

namespace lapscope::cli {
namespace {

struct RecordOptions {
  std::string output = "lapscope.sqlite";
  std::string cupti;
  unsigned flush_ms = 200;
  std::string range;
  bool is_armed = false;
  double delay = 0;  // seconds
  std::optional<double> duration;
  std::optional<std::uint64_t> max_bytes;
  int bare_runs = 0;
  bool calibrates = true;
  bool requires_trace = false;
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

std::string failure_in(const doctor::Findings& findings) {
  for (const doctor::Finding& finding : findings) {
    if (finding.level != doctor::Level::bad) continue;
    return fmt::format("{} (see `lapscope doctor`)", finding.state);
  }
  return "";
}

// Returns the reason why the CUDA driver did not load the collector. The driver loads the collector
// when a program first uses CUDA.
std::string why_no_cuda() {
  const doctor::Findings begun = doctor::check_cuda();
  const bool works = !begun.empty() && begun.front().level == doctor::Level::good;
  for (const doctor::Findings& findings :
       {begun, doctor::check_driver("/"), doctor::check_versions(doctor::cuda_of_driver(), {})}) {
    if (works) break;
    const std::string failure = failure_in(findings);
    if (!failure.empty()) return "the program did not use CUDA, and could not: " + failure;
  }
  return "the program did not use CUDA.";
}

// Returns the files of a few traces, or the number and the folder of many.
std::string files_of(const std::vector<trace::Content>& traces) {
  constexpr std::size_t most_named = 4;
  if (traces.size() > most_named) {
    return fmt::format("{} traces in '{}'", traces.size(), traces[0].path.parent_path().string());
  }
  std::vector<std::string> files;
  for (const trace::Content& content : traces) files.push_back(content.path.string());
  return fmt::format("{}", fmt::join(files, ", "));
}

// Returns the line that `record` prints after the program's own output.
std::string summary(const launch::Recording& recording, bool is_armed) {
  const double seconds = static_cast<double>(recording.program.elapsed_ns) / 1e9;
  if (recording.traces.empty()) {
    const std::string why =
        is_armed ? "`lapscope ctl` began no capture of a process that used CUDA." : why_no_cuda();
    return fmt::format("nothing was recorded in {:.1f} s: {}", seconds,
                       recording.trouble.empty() ? why : recording.trouble);
  }
  std::int64_t ops = 0;
  std::int64_t losses = 0;
  std::set<std::string> notes;
  for (const trace::Content& content : recording.traces) {
    ops += content.ops;
    losses += content.losses;
    if (content.problem) {
      notes.insert(fmt::format("; nothing was recorded of it: {}", *content.problem));
    } else if (content.write_error) {
      notes.insert(fmt::format("; it could not be written to its end: {}", *content.write_error));
    } else if (content.still_written) {
      notes.insert("; a process that outlives the program is still writing it");
    } else if (!content.complete) {
      notes.insert(
          "; the program ended without its exit handlers, so the last moments are missing");
    }
  }
  if (ops == 0) {
    const std::string failure = failure_in(doctor::check_cuda());
    if (!failure.empty()) notes.insert("; the program could not use CUDA: " + failure);
  }
  return fmt::format("{} ops in {:.1f} s, {} records lost: {}{}", ops, seconds, losses,
                     files_of(recording.traces), fmt::join(notes, "")) +
         (recording.trouble.empty() ? "" : "; " + recording.trouble);
}

// Prints the time that recording adds to a kernel launch. Prints nothing and returns false if this
// time is not known.
bool say_cost(const std::optional<launch::KeptCosts>& costs) {
  const auto ns = costs ? launch::added_to_launch(*costs) : std::nullopt;
  if (!ns) return false;
  constexpr std::size_t day = 10;  // of an ISO 8601 instant
  say("recording adds about ", reports::format_ns(*ns), " to a kernel launch here (calibrated ",
      costs->created.substr(0, day), ").");
  return true;
}

// Prints how much longer recorded runs took than bare runs.
void say_compared(const std::vector<launch::Run>& runs) {
  const auto median = [&runs](bool recorded) -> double {
    std::vector<std::int64_t> times;
    for (const launch::Run& run : runs) {
      if (run.recorded == recorded) times.push_back(run.elapsed_ns);
    }
    if (times.empty()) return 0;
    std::ranges::sort(times);
    return static_cast<double>(times[(times.size() - 1) / 2]);
  };
  const double bare = median(false);
  const double recorded = median(true);
  if (bare <= 0 || recorded <= 0) return;
  const double more = recorded / bare - 1;
  say(fmt::format("recorded runs took {:.0f} % {} than bare runs, from start to exit (medians).",
                  100 * std::abs(more), more < 0 ? "less time" : "longer"));
}

// Returns the exit statuses of the recorded or of the bare runs, such as "0, 0, 1".
std::string statuses(const std::vector<launch::Run>& runs, bool recorded) {
  std::string text;
  for (const launch::Run& run : runs) {
    if (run.recorded != recorded) continue;
    text += (text.empty() ? "" : ", ") + std::to_string(run.exit_status);
  }
  return text.empty() ? "none" : text;
}

// Adds function names to the call stacks of complete traces.
void add_names(const launch::Recording& recording) {
  constexpr std::chrono::seconds patience(60);
  symbols::Options options;
  std::error_code removed;  // the program may have removed the folder
  options.working_directory = std::filesystem::current_path(removed);
  for (const trace::Content& content : recording.traces) {
    if (content.problem || content.write_error || content.still_written) continue;
    const symbols::Result result = symbols::symbolize_apart(content.path, options, patience);
    const std::string command = "`lapscope symbolize " + content.path.string() + "`";
    if (!result.problem.empty()) {
      say(result.problem, "; ", command, " tries again.");
    } else if (result.addresses > 0 && !symbols::ModuleSymbols::reads_lines) {
      say("call stacks have no lines: this lapscope was built without libdw of elfutils.");
    }
  }
}

// Returns the part of the run to capture. Throws CLI::ValidationError if the options are invalid.
request::Capture capture_of(const RecordOptions& chosen) {
  request::Capture capture;
  if (!chosen.range.empty() && !capture.set_range(chosen.range)) {
    throw CLI::ValidationError("--capture-range",
                               "'" + chosen.range + "' is neither cudaProfilerApi nor nvtx:NAME");
  }
  using Trigger = request::Capture::Trigger;
  if (chosen.is_armed) capture.trigger = Trigger::command;
  if (capture.trigger == Trigger::nvtx && !chosen.request.wants(request::Group::nvtx)) {
    throw CLI::ValidationError("--capture-range", "an NVTX range cannot be seen with --no-nvtx");
  }
  if (capture.trigger == Trigger::profiler_api && chosen.request.yields_to_app) {
    throw CLI::ValidationError("--capture-range",
                               "cudaProfilerStart cannot be seen with --yield-to-app");
  }
  capture.delay = milliseconds(chosen.delay);
  if (chosen.duration) capture.duration = milliseconds(*chosen.duration);
  if (chosen.max_bytes) capture.max_bytes = static_cast<std::int64_t>(*chosen.max_bytes);
  return capture;
}

int record_program(const RecordOptions& chosen, const std::vector<std::string>& command) {
  launch::RecordOptions options;
  options.output = chosen.output;
  options.command = command;
  options.flush_period = std::chrono::milliseconds(chosen.flush_ms);
  options.request = chosen.request;
  options.request.capture = capture_of(chosen);
  if (!chosen.cupti.empty()) options.cupti = chosen.cupti;

  const bool has_said_cost = chosen.calibrates && say_cost(launch::known_costs(options));
  const launch::ComparedRecording compared =
      chosen.bare_runs > 0 ? launch::record_and_compare(options, chosen.bare_runs)
                           : launch::ComparedRecording{launch::record(options), {}, {}};
  const launch::Recording& recording = compared.recording;
  if (recording.refusal) {
    say(recording.refusal->sentence);
    return status_of(*recording.refusal);
  }
  if (!recording.program.problem.empty()) {
    say(recording.program.problem);
    return recording.program.exit_status;
  }
  // The program has ended. Errors from here on do not change the exit status of `record`.
  try {
    add_names(recording);
    if (chosen.calibrates) {
      const auto costs = launch::add_call_costs(options, recording);
      if (!has_said_cost) say_cost(costs);
    }
    say(summary(recording, chosen.is_armed));
  } catch (const std::exception& error) {
    say("the program has ended, but its traces could not be completed: ", error.what(), ".");
  }
  if (chosen.bare_runs > 0) {
    say("exit statuses of recorded runs: ", statuses(compared.runs, true),
        "; of bare runs: ", statuses(compared.runs, false));
    if (!recording.traces.empty()) say_compared(compared.runs);
  }
  if (!compared.trouble.empty()) say(compared.trouble);
  const bool lacks_trace = chosen.requires_trace && recording.traces.empty();
  return lacks_trace && recording.program.exit_status == good ? inconclusive
                                                              : recording.program.exit_status;
}

}  // namespace

void add_record(CLI::App& app, const std::vector<std::string>& program) {
  auto options = std::make_shared<RecordOptions>();
  CLI::App* command = app.add_subcommand("record", "Run a program and record its GPU work");
  command
      ->add_option("-o,--output", options->output,
                   "Output file. %p in its name is the process id, %r the rank, %h the host. With "
                   "FOLDER/, each process writes a file in this folder")
      ->capture_default_str();
  command
      ->add_option("--flush-ms", options->flush_ms,
                   "Longest time in ms until a record is written to the file. A killed program "
                   "loses at most the records of this time")
      ->check(from_to(10, 60'000))
      ->capture_default_str();
  command->add_option("--cupti", options->cupti,
                      "libcupti to load if the program does not load its own");
  command
      ->add_option("--bare", options->bare_runs,
                   "Run the program N times with recording and N times without CUPTI, alternately. "
                   "This measures how much time recording adds to NVTX ranges. Side effects of the "
                   "program repeat with every run")
      ->check(from_to(1, 1000));
  command->add_flag("!--no-calibrate", options->calibrates,
                    "Do not measure how much time recording adds to calls. By default, the first "
                    "recording on a machine measures this after the program's end, in at most 3 s");
  command
      ->add_option_function<std::string>(
          "--stacks",
          [options](const std::string& name) {
            options->request.stacks = request::stacks_of(name);
          },
          "Calls that get a call stack. findings (default): calls that can block, rare calls, and "
          "a sample of launches and asynchronous copies. all: all recorded calls. off: none "
          "(default with --light)")
      ->check(CLI::IsMember({"all", "findings", "off"}));
  command
      ->add_option_function<std::string>(
          "--host-samples",
          [options](const std::string& text) {
            options->request.host_samples = request::host_samples_of(text);
            if (!options->request.host_samples) {
              throw CLI::ValidationError("--host-samples",
                                         "'" + text + "' is neither off nor a number from 1 to " +
                                             std::to_string(request::Request::most_host_samples));
            }
          },
          "Sample threads that call CUDA, HZ times a second. Default: 250, or off if no call "
          "stacks are captured")
      ->type_name("HZ|off");
  constexpr double longest = 1e6;  // seconds
  command
      ->add_option("--capture-range", options->range,
                   "Capture only the first interval from cudaProfilerStart to cudaProfilerStop "
                   "(cudaProfilerApi), or the first NVTX range of a name (nvtx:NAME)")
      ->group("Captured interval");
  CLI::Option* const armed =
      command
          ->add_flag("--armed", options->is_armed,
                     "Record nothing until `lapscope ctl` begins a capture. Each capture writes a "
                     "trace. %n in the name of the output file is the number of the capture")
          ->group("Captured interval");
  command
      ->add_option("--delay", options->delay,
                   "Start capturing N seconds after the first use of CUDA")
      ->check(from_to(0, longest))
      ->group("Captured interval");
  command->add_option("--duration", options->duration, "Stop capturing after N seconds")
      ->check(from_to(0.001, longest))
      ->group("Captured interval");
  command
      ->add_option("--max-size", options->max_bytes,
                   "Stop capturing when the trace reaches this size, such as 500MB or 2GB. During "
                   "recording, even an empty trace has 300 kB")
      ->transform(CLI::AsSizeValue(false))
      ->type_name("SIZE")
      ->group("Captured interval");
  for (const request::GroupText& group : request::groups()) {
    const std::string name(group.name);
    const std::string what(group.what);
    const auto add = [&](bool wanted) {
      return command->add_flag_callback(
          (wanted ? "--" : "--no-") + name,
          [options, &group, wanted] { options->request.set(group.group, wanted); },
          (wanted ? "Record " : "Do not record ") + what);
    };
    add(!group.by_default)->group("Recorded kinds");
    add(group.by_default)->group("");  // undoes --light or --all-calls
  }
  command->add_flag("--require-trace", options->requires_trace,
                    "Exit with status 3 if the program succeeded but no trace was written");
  command->add_flag(
      "--yield-to-app", options->request.yields_to_app,
      "Let a profiler inside the program use CUPTI. The trace then lacks some records");
  for (const char* other : {"--capture-range", "--delay", "--duration", "--bare", "--yield-to-app",
                            "--unified-memory"}) {
    armed->excludes(command->get_option(other));
  }
  command->footer(
      "The program and its arguments come after the options, or after --.\nExamples:\n  lapscope "
      "record -o t.sqlite ./app --its-options\n  lapscope record --bare 3 -o t.sqlite -- ./app "
      "--its-options\nExit status: that of the program (128 + n for signal n, 126 or 127 if it "
      "cannot be run);\n2 for a usage error (the message says that the program was not run); 3 if "
      "no trace was\nwritten and --require-trace is given; 4 if a file cannot be written.");
  command->callback([options, &program] {
    if (program.empty()) throw CLI::RequiredError("The program to run");
    exit_with(record_program(*options, program));
  });
}

}  // namespace lapscope::cli
