#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/output_options.h"
#include "collector/doctor/checks.h"
#include "collector/launch/recorder_calibration.h"
#include "collector/process/thread_clock.h"
#include "reports/words/format.h"

namespace lapscope::cli {
namespace {

using doctor::Finding;
using doctor::Findings;
using doctor::Level;

const char* mark(Level level) {
  switch (level) {
    case Level::good:
      return "ok  ";
    case Level::note:
      return "note";
    case Level::bad:
      break;
  }
  return "BAD ";
}

Findings examine(const std::string& folder, const std::string& cupti_path) {
  const doctor::FoundCupti cupti =
      doctor::find_cupti(cupti_path.empty() ? std::nullopt : std::optional(cupti_path));
  const auto cuda = cupti.version ? doctor::cuda_of_cupti(*cupti.version) : std::nullopt;
  Findings all;
  for (const Findings& some :
       {doctor::check_driver("/"), doctor::check_gpus("/"), doctor::check_permissions("/"),
        doctor::check_versions(doctor::cuda_of_driver(), cuda), doctor::check_injections(),
        doctor::check_cuda(), doctor::check_cupti(cupti), doctor::check_collector(),
        doctor::check_native_frames(process::thread_clock_refusal()),
        doctor::check_space(folder)}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

bool print(const Findings& findings) {
  for (const Finding& finding : findings) {
    const bool coloured = is_stdout_coloured();
    const char* const colour = !coloured                      ? ""
                               : finding.level == Level::bad  ? "\x1b[1;31m"
                               : finding.level == Level::note ? "\x1b[33m"
                                                              : "\x1b[32m";
    std::cout << fmt::format("{}{}{} {:<12} {}\n", colour, mark(finding.level),
                             coloured ? "\x1b[0m" : "", finding.subject,
                             reports::printable(finding.state));
    if (!finding.remedy.empty())
      std::cout << fmt::format("     {:<12} {}\n", "", reports::printable(finding.remedy));
  }
  const bool works = std::none_of(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.level == Level::bad;
  });
  std::cout << (works ? "Recording works here.\n"
                      : "Recording will not work here: see BAD above.\n");
  return works;
}

constexpr std::chrono::seconds longest_calibration{20};

bool print_calibration(const std::string& cupti) {
  launch::RecordOptions options;
  if (!cupti.empty()) options.cupti = cupti;
  const launch::Calibration done = launch::calibrate(options, longest_calibration);
  if (!done.problem.empty()) say("not calibrated: ", done.problem);
  if (done.found.costs.empty()) return false;
  const auto& setting = done.found.key.setting;
  std::cout << fmt::format(
      "Recording cost on {}, {}, driver {}, CUPTI {} (medians of {} of {} rounds)\n",
      reports::printable(setting.host), reports::printable(setting.gpu), setting.driver,
      setting.cupti, done.undisturbed, done.rounds);
  for (const schema::CallCostRow& row : done.found.costs) {
    std::cout << fmt::format("  {:<22}{:>8} ns, spread {:>6}  ({} without, {} recorded)\n",
                             row.kind, row.recordedNs - row.bareNs, row.spreadNs, row.bareNs,
                             row.recordedNs);
  }
  if (!done.file.empty())
    std::cout << fmt::format("Kept in '{}'.\n", reports::printable(done.file.string()));
  return done.problem.empty();
}

}  // namespace

void add_doctor(CLI::App& app) {
  struct Options {
    std::string folder = ".";
    std::string cupti;
    bool calibrates = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("doctor", "Check whether recording works on this machine");
  command
      ->add_option("--folder", options->folder,
                   "Folder for traces: check whether lapscope can write a trace there")
      ->capture_default_str();
  command->add_option("--cupti", options->cupti, "libcupti to check, as with `record --cupti`");
  command->add_flag("--calibrate", options->calibrates,
                    "Measure how much time recording adds to each kind of call, and store the "
                    "result for later recordings. Do not run other programs meanwhile");
  command->footer(
      "Example:\n  lapscope doctor\n  lapscope doctor --calibrate\nExit status: 0 recording works, "
      "1 recording does not work, or the calibration failed.\nOnly --calibrate makes a CUDA "
      "context.");
  command->callback([options] {
    if (options->calibrates) {
      if (!print_calibration(options->cupti)) throw CLI::RuntimeError(gate_failed);
      return;
    }
    if (!print(examine(options->folder, options->cupti))) throw CLI::RuntimeError(gate_failed);
  });
}

}  // namespace lapscope::cli
