#include "collector/launch/recorder_calibration.h"

#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <system_error>

#include "collector/environment.h"
#include "collector/launch/child_program.h"
#include "collector/process/clock.h"
#include "collector/schema/sqlite.h"
#include "collector/trace/output_name.h"

namespace lapscope::launch {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds longest_unasked{3'000};
constexpr milliseconds longest_wait{5'000};  // the longest wait for another process that calibrates
// The length of one run. Results differ more between runs than between rounds of one run. So
// several short runs give more information than a long one.
constexpr milliseconds rounds_of_run{600};
constexpr int most_runs = 8;
constexpr std::size_t least_rounds = 5;

constexpr const char* no_folder =
    "there is no folder to keep a calibration in: neither XDG_CACHE_HOME nor HOME is set.";

// The times of one kind of call, round by round, in ns.
struct Rounds {
  std::vector<double> bare;
  std::vector<double> added;
};

// Returns the value below which the fraction `part` of the sorted values lies.
double quantile(const std::vector<double>& sorted, double part) {
  return sorted[static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1))];
}

constexpr double half = 0.5;
constexpr double quarter = 0.25;

double quantile_of(std::vector<double> values, double part) {
  std::ranges::sort(values);
  return quantile(values, part);
}

// Returns the indices of the undisturbed rounds. In a disturbed round, the processor was slower,
// and recording added more time. A round is undisturbed if at least half of the kinds take at most
// 1.1 times their usual bare time. The usual bare time of a kind is the lower quartile of its bare
// times. All kinds must have the same number of rounds.
std::vector<std::size_t> undisturbed(const std::map<std::string, Rounds>& kinds) {
  constexpr double slower = 1.1;
  std::vector<std::size_t> chosen;
  std::map<std::string, double> usual;
  for (const auto& [kind, rounds] : kinds) usual[kind] = quantile_of(rounds.bare, quarter);
  for (std::size_t round = 0; round < kinds.begin()->second.bare.size(); ++round) {
    std::vector<double> ratios;
    for (const auto& [kind, rounds] : kinds) {
      // Skip kinds with a bare time close to 0, such as a node of a graph. The time of a node is a
      // difference of two times, and may even be negative.
      if (usual[kind] > 1) ratios.push_back(rounds.bare[round] / usual[kind]);
    }
    if (ratios.empty() || quantile_of(std::move(ratios), half) <= slower) chosen.push_back(round);
  }
  return chosen;
}

Rounds only(const std::vector<std::size_t>& chosen, const Rounds& rounds) {
  Rounds result;
  for (const std::size_t round : chosen) {
    result.bare.push_back(rounds.bare[round]);
    result.added.push_back(rounds.added[round]);
  }
  return result;
}

schema::CallCostRow row_of(const std::string& kind, Rounds rounds) {
  std::ranges::sort(rounds.bare);
  std::ranges::sort(rounds.added);
  schema::CallCostRow row;
  row.kind = kind;
  row.bareNs = std::max<std::int64_t>(0, std::llround(quantile(rounds.bare, half)));
  row.recordedNs =
      row.bareNs + std::max<std::int64_t>(0, std::llround(quantile(rounds.added, half)));
  row.spreadNs =
      std::llround(quantile(rounds.added, 1 - quarter) - quantile(rounds.added, quarter));
  return row;
}

class Scratch {
 public:
  Scratch() {
    std::error_code failed;
    std::string name = (fs::temp_directory_path(failed) / "lapscope-XXXXXX").string();
    if (!failed && ::mkdtemp(name.data())) path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// Returns the variables that are set for the runs. The runs use only the first GPU that the program
// may use. One GPU is enough, because only calls are measured. CUDA_LAUNCH_BLOCKING is off.
Variables variables_of_runs() {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  const std::string devices = visible ? visible : "0";
  return {{"CUDA_VISIBLE_DEVICES", devices.substr(0, devices.find(','))},
          {"CUDA_LAUNCH_BLOCKING", "0"}};
}

class Measurement {
 public:
  Measurement(const RecordOptions& options, Clock::time_point until)
      : options_(options), until_(until), program_(find_call_costs()) {
    options_.output = scratch_.path() / "t.sqlite";
    options_.request.capture = {};
    // The time that call stacks take is stored in each trace, so it needs no calibration.
    options_.request.stacks = request::Stacks::off;
    options_.environment = variables_of_runs();
  }

  // Runs the program repeatedly, while there is time for one more run, and returns the result.
  Calibration run() {
    if (program_.path.empty()) return failed(program_.problem);
    if (scratch_.path().empty()) return failed("there is no folder for temporary files.");
    Clock::duration longest{};
    for (int run = 0; run < most_runs; ++run) {
      const auto begin = Clock::now();
      if (run > 0 && begin + longest > until_) break;
      if (!run_once()) return std::move(result_);
      longest = std::max(longest, Clock::now() - begin);
    }
    if (rounds_.empty()) return failed("the calls were not timed.");
    const auto rounds_of = [](const auto& one) { return one.second.added.size(); };
    const std::size_t all = rounds_of(*rounds_.begin());
    if (!std::ranges::all_of(rounds_, [&](const auto& one) { return rounds_of(one) == all; })) {
      return failed("the calls were not timed equally often.");
    }
    const auto chosen = undisturbed(rounds_);
    if (chosen.size() < least_rounds) {
      result_.may_succeed = true;
      return failed("the machine was busy: " + std::to_string(chosen.size()) + " of " +
                    std::to_string(all) + " rounds were undisturbed, " +
                    std::to_string(least_rounds) + " are needed.");
    }
    result_.rounds = all;
    result_.undisturbed = chosen.size();
    for (const auto& [kind, rounds] : rounds_) {
      result_.found.costs.push_back(row_of(kind, only(chosen, rounds)));
    }
    return std::move(result_);
  }

 private:
  Calibration failed(std::string why) {
    result_.problem = std::move(why);
    return std::move(result_);
  }

  bool run_once() {
    const auto left = std::chrono::duration_cast<milliseconds>(until_ - Clock::now());
    const fs::path times = scratch_.path() / "times";
    options_.command = {program_.path.string(), times.string(),
                        std::to_string(rounds_of_run.count()),
                        std::to_string(std::max<std::int64_t>(1, left.count()))};
    const Recording recording = record(options_);
    if (recording.refusal) {
      result_.problem = recording.refusal->sentence;
      return false;
    }
    const std::string why = take(times);
    if (recording.program.exit_status != 0 || !why.empty()) {
      result_.problem = "the program that calls are timed with ended with " +
                        std::to_string(recording.program.exit_status) +
                        (why.empty() ? "." : " (" + why + ").");
      result_.may_succeed = recording.program.asked_to_end;
      return false;
    }
    if (recording.traces.empty() || recording.traces.front().ops == 0) {
      result_.problem = "nothing was recorded of the calls.";
      return false;
    }
    result_.found.key.setting = trace::setting_of(recording.traces.front().path);
    return true;
  }

  // Reads the times of a run from its file into rounds_, and removes the file. Returns the error of
  // the run; empty if there is none.
  std::string take(const fs::path& times) {
    std::ifstream file(times);
    std::string kind;
    double bare = 0;
    double recorded = 0;
    while (file >> kind) {
      if (kind == "error") {
        std::string why;
        std::getline(file >> std::ws, why);
        return why;
      }
      if (!(file >> bare >> recorded)) break;
      Rounds& rounds = rounds_[kind];
      rounds.bare.push_back(bare);
      rounds.added.push_back(recorded - bare);
    }
    file.close();
    std::error_code ignored;
    fs::remove(times, ignored);  // a later run that fails must not find these times
    return "";
  }

  RecordOptions options_;
  const Clock::time_point until_;
  const CollectorLibrary program_;
  const Scratch scratch_;
  Calibration result_;
  std::map<std::string, Rounds> rounds_;  // by kind, of all runs
};

Calibration measure(const RecordOptions& options, milliseconds longest) {
  Calibration result;
  try {
    result = Measurement(options, Clock::now() + longest).run();
  } catch (const schema::SqliteError& error) {
    result.problem =
        "the calibration's own trace cannot be read: " + std::string(error.what()) + ".";
  }
  result.found.created = process::iso_utc(process::read_clock(CLOCK_REALTIME));
  for (schema::CallCostRow& row : result.found.costs) row.created = result.found.created;
  result.found.key.request = options.request.text();
  return result;
}

std::string sentence_of(const std::system_error& error) { return std::string(error.what()) + "."; }

// Returns why no calibration may run now; empty if a calibration may run.
std::string why_not_now(const Recording& recording) {
  if (recording.program.asked_to_end) {
    return "a signal asked the program to end, so the next recording calibrates.";
  }
  if (std::getenv(environment::session)) return "this recording was part of another one.";
  if (environment::may_have_other_ranks()) {
    return "other ranks may have been running; calibrate once by `lapscope doctor --calibrate` "
           "outside of the launcher.";
  }
  return "";
}

// Returns the stored costs for a key. If there are none, calibrates now and returns the result. If
// no calibration is possible, the result has only a problem.
KeptCosts costs_for(const CostKey& key, const RecordOptions& options, const Recording& recording) {
  KeptCosts none;
  const auto folder = cache_folder();
  if (!folder) {
    none.problem = no_folder;
    return none;
  }
  const CostFile file(*folder, longest_wait);
  if (auto kept = file.find(key)) return *kept;
  none.problem = why_not_now(recording);
  if (!none.problem.empty()) return none;
  Calibration calibration = measure(options, longest_unasked);
  calibration.found.problem = calibration.problem;
  if (calibration.problem.empty() && calibration.found.key != key) {
    calibration.found.problem = "the calibration was of another GPU, driver or CUPTI.";
    calibration.found.costs.clear();
  }
  // Keep failures, too, so that a failing calibration is not repeated at each recording.
  calibration.found.key = key;
  if (!calibration.may_succeed) file.keep(calibration.found);
  return calibration.found;
}

void tell(const fs::path& path, const KeptCosts& known) {
  if (known.problem.empty()) {
    trace::add_call_costs(path, known.costs);
  } else {
    trace::add_not_calibrated(path, known.problem);
  }
}

}  // namespace

Calibration calibrate(const RecordOptions& options, milliseconds longest) {
  Calibration result;
  const auto folder = cache_folder();
  if (!folder) {
    result.problem = no_folder;
    return result;
  }
  try {
    const CostFile file(*folder, longest_wait);
    result = measure(options, longest);
    if (!result.problem.empty()) return result;
    file.keep(result.found);
    result.file = file.path();
  } catch (const std::system_error& error) {
    result.problem = "it cannot be kept: " + sentence_of(error);
  }
  return result;
}

std::optional<KeptCosts> known_costs(const RecordOptions& options) {
  const auto folder = cache_folder();
  if (!folder) return std::nullopt;
  return newest_costs(*folder, trace::host_name(), options.request.text());
}

std::optional<KeptCosts> add_call_costs(const RecordOptions& options, const Recording& recording) {
  std::optional<KeptCosts> added;
  for (const trace::Content& content : recording.traces) {
    if (content.still_written || content.problem) continue;
    try {
      const CostKey key{trace::setting_of(content.path), options.request.text()};
      KeptCosts known;
      try {
        known = costs_for(key, options, recording);
      } catch (const std::system_error& error) {
        known.problem = sentence_of(error);
      }
      tell(content.path, known);
      if (known.problem.empty()) added = std::move(known);
    } catch (const schema::SqliteError&) {
      continue;  // the trace lacks only the costs
    }
  }
  return added;
}

}  // namespace lapscope::launch
