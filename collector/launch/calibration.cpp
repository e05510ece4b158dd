#include "collector/launch/calibration.h"

#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <map>
#include <system_error>

#include "collector/environment.h"
#include "collector/launch/program.h"
#include "collector/schema/sqlite.h"

namespace lapscope::launch {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds longest_unasked{3'000};
constexpr milliseconds longest_wait{5'000};  // for another process that calibrates
constexpr int most_pairs = 5;

// In ns, by kind.
using Times = std::map<std::string, std::vector<double>>;

std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[sizeof "2026-11-22T14:00:00Z"];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::int64_t median_ns(std::vector<double>& times) {
  std::ranges::sort(times);
  return std::llround(times[(times.size() - 1) / 2]);
}

// A folder that is gone when it is done with.
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

// One GPU is enough to time calls, and the first that the program may see.
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
    options_.environment = variables_of_runs();
  }

  // Runs pairs while there is time for one more.
  Calibration run() {
    if (program_.path.empty()) return failed(program_.problem);
    if (scratch_.path().empty()) return failed("there is no folder for temporary files.");
    Clock::duration longest{};
    while (result_.pairs < most_pairs) {
      const auto begin = Clock::now();
      if (result_.pairs > 0 && begin + longest > until_) break;
      if (!run_bare() || !run_recorded()) return std::move(result_);
      ++result_.pairs;
      longest = std::max(longest, Clock::now() - begin);
    }
    KeptCosts& found = result_.found;
    for (auto& [kind, times] : bare_) {
      const auto recorded = recorded_.find(kind);
      if (recorded == recorded_.end()) continue;
      const std::int64_t bare = std::max<std::int64_t>(0, median_ns(times));
      found.costs.push_back(
          {kind, bare, std::max(bare, median_ns(recorded->second)), found.created});
    }
    if (found.costs.empty()) return failed("the calls were not timed.");
    return std::move(result_);
  }

 private:
  Calibration failed(std::string why) {
    result_.problem = std::move(why);
    return std::move(result_);
  }

  std::vector<std::string> command() const {
    const auto left = std::chrono::ceil<std::chrono::seconds>(until_ - Clock::now()).count();
    return {program_.path.string(), times_file().string(),
            std::to_string(std::max<std::int64_t>(1, left))};
  }
  fs::path times_file() const { return scratch_.path() / "times"; }

  bool run_bare() {
    const auto arguments = command();
    return take(run_program(program_.path, arguments, variables_of_runs()), bare_);
  }

  bool run_recorded() {
    options_.command = command();
    const Recording recording = record(options_);
    if (recording.refusal) {
      result_.problem = recording.refusal->sentence;
      return false;
    }
    if (!take(recording.program, recorded_)) return false;
    if (recording.traces.empty() || recording.traces.front().ops == 0) {
      result_.problem = "nothing was recorded of the calls.";
      return false;
    }
    result_.found.key.setting = trace::setting_of(recording.traces.front().path);
    return true;
  }

  // What a run has found.
  bool take(const Ended& ended, Times& times) {
    std::ifstream file(times_file());
    std::string kind;
    std::string why;
    double ns = 0;
    while (file >> kind) {
      if (kind == "error") {
        std::getline(file >> std::ws, why);
        break;
      }
      if (!(file >> ns)) break;
      times[kind].push_back(ns);
    }
    file.close();
    std::error_code ignored;
    fs::remove(times_file(), ignored);
    if (ended.exit_status == 0 && why.empty()) return true;
    result_.problem = "the program that calls are timed with ended with " +
                      std::to_string(ended.exit_status) + (why.empty() ? "." : " (" + why + ").");
    return false;
  }

  RecordOptions options_;
  const Clock::time_point until_;
  const CollectorLibrary program_;
  const Scratch scratch_;
  Calibration result_;
  Times bare_;
  Times recorded_;
};

Calibration measure(const RecordOptions& options, milliseconds longest) {
  Calibration result;
  try {
    result = Measurement(options, Clock::now() + longest).run();
  } catch (const schema::SqliteError& error) {
    result.problem =
        "the calibration's own trace cannot be read: " + std::string(error.what()) + ".";
  }
  result.found.created = now_utc();
  for (schema::CallCostRow& row : result.found.costs) row.created = result.found.created;
  result.found.key.request = options.request.text();
  return result;
}

std::string sentence_of(const std::system_error& error) { return std::string(error.what()) + "."; }

// Why nothing may be measured now; empty when it may.
std::string why_not_now() {
  if (std::getenv(environment::session)) return "this recording was part of another one.";
  if (environment::may_have_other_ranks()) {
    return "other ranks may have been running; calibrate once by `lapscope doctor --calibrate` "
           "outside of the launcher.";
  }
  return "";
}

// What is to be told of a key: kept, or found now.
KeptCosts costs_for(const CostKey& key, const RecordOptions& options) {
  KeptCosts none;
  const auto folder = cache_folder();
  if (!folder) {
    none.problem =
        "there is no folder to keep a calibration in: neither XDG_CACHE_HOME nor HOME "
        "is set.";
    return none;
  }
  const CostFile file(*folder, longest_wait);
  if (auto kept = file.find(key)) return *kept;
  none.problem = why_not_now();
  if (!none.problem.empty()) return none;
  Calibration calibration = measure(options, longest_unasked);
  calibration.found.problem = calibration.problem;
  if (calibration.problem.empty() && calibration.found.key != key) {
    calibration.found.problem = "the calibration was of another GPU, driver or CUPTI.";
    calibration.found.costs.clear();
  }
  // What fails is not tried again each time.
  calibration.found.key = key;
  file.keep(calibration.found);
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
  Calibration result = measure(options, longest);
  if (!result.problem.empty()) return result;
  const auto folder = cache_folder();
  if (!folder) {
    result.problem = "There is no folder to keep it in: neither XDG_CACHE_HOME nor HOME is set.";
    return result;
  }
  try {
    const CostFile file(*folder, longest_wait);
    file.keep(result.found);
    result.file = file.path();
  } catch (const std::system_error& error) {
    result.problem = "It cannot be kept: " + sentence_of(error);
  }
  return result;
}

void add_call_costs(const RecordOptions& options, const Recording& recording) {
  for (const trace::Content& content : recording.traces) {
    if (content.still_written || content.problem) continue;
    try {
      const CostKey key{trace::setting_of(content.path), options.request.text()};
      KeptCosts known;
      try {
        known = costs_for(key, options);
      } catch (const std::system_error& error) {
        known.problem = sentence_of(error);
      }
      tell(content.path, known);
    } catch (const schema::SqliteError&) {
      continue;  // without costs it says all else that it holds
    }
  }
}

}  // namespace lapscope::launch
