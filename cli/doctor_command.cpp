#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "collector/doctor/checks.h"
#include "collector/launch/calibration.h"
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
        doctor::check_versions(doctor::cuda_of_driver(), cuda), doctor::check_cupti(cupti),
        doctor::check_collector(), doctor::check_injections(), doctor::check_space(folder)}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

bool print(const Findings& findings) {
  for (const Finding& finding : findings) {
    std::cout << fmt::format("{} {:<12} {}\n", mark(finding.level), finding.subject,
                             reports::printable(finding.state));
    if (finding.remedy.empty()) continue;
    std::cout << fmt::format("     {:<12} {}\n", "", reports::printable(finding.remedy));
  }
  const bool works = std::none_of(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.level == Level::bad;
  });
  std::cout << (works ? "Nothing stands in the way of recording here.\n"
                      : "Recording will not work here as things are.\n");
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
      "What recording adds on {}, {}, driver {}, CUPTI {} (medians of {} of {} rounds)\n",
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
  CLI::App* command = app.add_subcommand("doctor", "Say whether recording will work here");
  command->add_option("--folder", options->folder, "Where a trace would be written")
      ->capture_default_str();
  command->add_option("--cupti", options->cupti, "The libcupti to look at, as for record");
  command->add_flag("--calibrate", options->calibrates,
                    "Find out on the GPU what recording adds to each kind of call, and keep it for "
                    "the recordings that follow; nothing else should run meanwhile");
  command->footer(
      "Example:\n  lapscope doctor\n  lapscope doctor --calibrate\n"
      "Exit status: 0 when nothing stands in the way, 1 when something does. The GPU itself is "
      "not\n"
      "asked, but by --calibrate.");
  command->callback([options] {
    if (options->calibrates) {
      if (!print_calibration(options->cupti)) throw CLI::RuntimeError(gate_failed);
      return;
    }
    if (!print(examine(options->folder, options->cupti))) throw CLI::RuntimeError(gate_failed);
  });
}

}  // namespace lapscope::cli
