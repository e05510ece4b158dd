#include "tests/analyzer/findings/accuracy_rows.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

#include "analyzer/analysis/analyze.h"
#include "analyzer/analysis/what_if.h"
#include "cli/fix_argument.h"
#include "readers/read_trace.h"
#include "tests/support/json.h"

namespace lapscope::test {
namespace {

using nlohmann::json;

double ms(std::int64_t ns) { return static_cast<double>(ns) / 1e6; }

struct LongestRange {
  std::int64_t device = 0;  // its id
  const analyzer::ScopeResult* scope = nullptr;
};

LongestRange longest(const analyzer::Report& report) {
  LongestRange most;
  for (const analyzer::DeviceResult& device : report.devices) {
    for (const analyzer::RangeResult& range : device.ranges) {
      if (!most.scope || range.scope.window.length() > most.scope->window.length()) {
        most = {device.id, &range.scope};
      }
    }
  }
  return most;
}

WholeTrace whole(const std::string& name, const analyzer::Report& report) {
  WholeTrace result{name};
  for (const analyzer::DeviceResult& device : report.devices) {
    if (!device.scope.causes) continue;
    const analyzer::CausesResult& causes = *device.scope.causes;
    const bool is_first = result.wall_ms == 0;
    if (!is_first && causes.unexplained_share <= result.unexplained_share) continue;
    result.wall_ms = ms(device.scope.window.length());
    result.replay_error = causes.replay.error;
    result.unexplained_share = causes.unexplained_share;
  }
  return result;
}

// What is predicted of a variant besides the fix of what is planted in broken ones.
struct Step {
  std::string_view name;
  std::string_view variant;
  std::vector<std::string> fixes;
  std::string_view to_name;
  std::string_view to_variant;
};
const std::vector<Step>& steps() {
  static const std::vector<Step> all = {
      // A stream for the all-reduce, and a grid that leaves some multiprocessors to it: both at
      // once, and one after the other.
      {"nccl-all-reduce", "broken", {"stream-order", "sm-saturated"}, "nccl-all-reduce", "fixed"},
      {"nccl-all-reduce", "broken", {"stream-order"}, "nccl-all-reduce", "separate-streams"},
      {"nccl-all-reduce", "separate-streams", {"sm-saturated"}, "nccl-all-reduce", "fixed"},
      {"nccl-all-reduce", "high-priority", {"sm-saturated"}, "nccl-all-reduce", "fixed"},
      // Of the same tiles, as many buffers as there are engines.
      {"pipeline", "broken", {"stream-order"}, "pipeline", "fixed"},
      {"pipeline", "broken", {"stream-order"}, "pipeline", "stream-per-buffer"},
      {"pipeline", "broken", {"stream-order:3"}, "buffer-depth", "triple"},
      {"buffer-depth", "broken", {"stream-order"}, "buffer-depth", "fixed"},
      {"buffer-depth", "broken", {"stream-order:3"}, "buffer-depth", "triple"},
      // The only fix that takes a number of what the broken program had less of.
      {"queue-alias", "fixed", {"queue-alias:8"}, "queue-alias", "broken"},
  };
  return all;
}

// In ms; the ends of the range are 0 where nobody kept them.
struct BareTime {
  double median = 0;
  double least = 0;
  double most = 0;
};
// By case and variant.
using BareTimes = std::map<std::pair<std::string, std::string>, BareTime>;

BareTimes bare_times(const json& catalogue) {
  BareTimes times;
  for (const json& entry : catalogue["traces"]) {
    const json& bare = entry["bare_wall_ms"];
    times[{entry["case"], entry["variant"]}] = {bare["this"], bare.value("least", 0.0),
                                                bare.value("most", 0.0)};
  }
  return times;
}

struct Catalogue {
  BareTimes bare;
  std::set<std::string, std::less<>> kept_aside;  // cases
  std::map<std::string, std::string> planted;     // by case, the first code of its first variant
  std::map<std::string, analyzer::StandInValues> without;  // by case: chosen by all others
};

std::map<std::string, analyzer::StandInValues> values_without(const json& each_case) {
  std::map<std::string, analyzer::StandInValues> values;
  for (const auto& [name, value] : each_case.items()) {
    values[name] = {value["usual_latency"], value["quick_call"], value["both_directions"]};
  }
  return values;
}

Catalogue read_catalogue(const json& catalogue, const json& each_case) {
  Catalogue result{bare_times(catalogue), {}, {}, values_without(each_case)};
  for (const json& entry : catalogue["traces"]) {
    const std::string name = entry["case"];
    if (entry["kept_aside"].get<bool>()) result.kept_aside.insert(name);
    result.planted.try_emplace(name, entry["causes"].empty() ? "" : entry["causes"][0]);
  }
  return result;
}

class Reader {
 public:
  Reader(const json& entry, const std::filesystem::path& traces, const Catalogue& catalogue)
      : catalogue_(catalogue),
        planted_in_case_(catalogue.planted.at(entry["case"])),
        trace_(analyzer::read_trace(traces / entry["trace"].get<std::string>())) {
    row_.name = entry["case"];
    row_.variant = entry["variant"];
    if (!entry["causes"].empty()) row_.planted = entry["causes"][0];
    options_.ranges = {row_.name};
  }

  void read(Accuracy& accuracy) {
    const analyzer::Report report = analyzer::analyze(trace_, options_);
    const LongestRange range = longest(report);
    accuracy.whole.push_back(whole(row_.name + "-" + row_.variant, report));
    if (range.scope && range.scope->causes) tell(*range.scope);
    bool is_listed = false;
    for (const Step& step : steps()) {
      if (step.name != row_.name || step.variant != row_.variant) continue;
      is_listed = true;
      predict_pair(step, range.device, accuracy);
    }
    if (!is_listed && row_.variant == "broken") {
      predict_pair({row_.name, row_.variant, {row_.planted}, row_.name, "fixed"}, range.device,
                   accuracy);
    }
    if (row_.planted.empty() && row_.variant != "control") {
      predict({row_.name, row_.variant, {planted_in_case_}, row_.name, row_.variant}, range.device,
              options_, accuracy.again);
    }
    accuracy.rows.push_back(std::move(row_));
  }

 private:
  void tell(const analyzer::ScopeResult& scope) {
    const analyzer::CausesResult& causes = *scope.causes;
    row_.wall_ms = ms(scope.window.length());
    row_.replay_error = causes.replay.error;
    row_.blind_error = causes.replay.blind_error;
    row_.bound_by = causes.bound_by;
    row_.bound_share = causes.bound_share;
    row_.unexplained_share = causes.unexplained_share;
    if (causes.findings.empty()) {
      if (!causes.questions.empty()) row_.asked = causes.questions.front().code;
      return;
    }
    row_.top = causes.findings.front().code;
    row_.top_saving = causes.findings.front().saving_share;
  }

  void predict_pair(const Step& step, std::int64_t device, Accuracy& accuracy) const {
    predict(step, device, options_, accuracy.pairs);
    if (is_kept_aside(step) || catalogue_.without.empty()) return;
    analyzer::AnalyzeOptions options = options_;
    options.stand_in_values = catalogue_.without.at(row_.name);
    predict(step, device, options, accuracy.left_out);
  }

  bool is_kept_aside(const Step& step) const {
    return catalogue_.kept_aside.count(row_.name) + catalogue_.kept_aside.count(step.to_name) > 0;
  }

  void predict(const Step& step, std::int64_t device, const analyzer::AnalyzeOptions& options,
               std::vector<AccuracyPair>& pairs) const {
    const BareTimes& bare = catalogue_.bare;
    const auto before = bare.find({row_.name, row_.variant});
    const auto after = bare.find({std::string(step.to_name), std::string(step.to_variant)});
    if (before == bare.end() || after == bare.end()) return;
    std::vector<analyzer::FixRequest> asked;
    for (const std::string& fix : step.fixes) asked.push_back(cli::parse_fix(fix));
    for (const auto& scope : analyzer::what_if(trace_, options, asked).scopes) {
      if (scope.device != device) continue;
      AccuracyPair pair;
      pair.name = row_.name;
      pair.variant = row_.variant;
      pair.fixes = step.fixes;
      pair.put_right = step.to_variant;
      if (step.to_name != row_.name) pair.put_right.insert(0, std::string(step.to_name) + " ");
      pair.wall_ms = ms(scope.wall_ns);
      pair.bare_ms = before->second.median;
      pair.predicted_ms = ms(scope.predicted.wall_ns);
      pair.least_ms = ms(scope.predicted.least_wall_ns);
      pair.put_right_ms = after->second.median;
      pair.put_right_from_ms = after->second.least;
      pair.put_right_to_ms = after->second.most;
      pair.is_kept_aside = is_kept_aside(step);
      pair.prediction = scope.predicted;
      pair.replay = scope.replay;
      pair.assumed.assign(scope.assumed.begin(), scope.assumed.end());
      pairs.push_back(std::move(pair));
    }
  }

  const Catalogue& catalogue_;
  std::string planted_in_case_;  // the first cause of its broken variant
  analyzer::Trace trace_;
  analyzer::AnalyzeOptions options_;
  AccuracyRow row_;
};

// `each_case`: the StandInValues without it; empty to leave nothing out.
Accuracy read_catalogued(const std::filesystem::path& traces, const json& each_case) {
  const json catalogue = read_json(traces / "catalogue.json");
  const Catalogue cases = read_catalogue(catalogue, each_case);
  Accuracy accuracy;
  for (const json& entry : catalogue["traces"]) {
    if (!entry["trace"].is_null()) Reader(entry, traces, cases).read(accuracy);
  }
  const auto by_name = [](const auto& a, const auto& b) { return a.name < b.name; };
  std::stable_sort(accuracy.rows.begin(), accuracy.rows.end(), by_name);
  std::stable_sort(accuracy.pairs.begin(), accuracy.pairs.end(), by_name);
  std::stable_sort(accuracy.left_out.begin(), accuracy.left_out.end(), by_name);
  std::stable_sort(accuracy.again.begin(), accuracy.again.end(), by_name);
  return accuracy;
}

}  // namespace

std::vector<AccuracyPair> Accuracy::out_of_sample() const {
  std::vector<AccuracyPair> result = left_out;
  std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(result),
               [](const AccuracyPair& pair) { return pair.is_kept_aside; });
  return result;
}

Accuracy read_accuracy(const std::filesystem::path& traces) {
  Accuracy accuracy = read_catalogued(traces, read_json(traces / "stand_in_values.json"));
  Accuracy on_h100 = read_catalogued(traces / "h100", json::object());
  accuracy.rows_on_h100 = std::move(on_h100.rows);
  accuracy.pairs_on_h100 = std::move(on_h100.pairs);
  const json h100 = read_json(traces / "h100" / "catalogue.json");
  for (const json& entry : h100["traces"]) {
    if (entry["causes"].empty()) {
      accuracy.found_without_cause_on_h100.push_back(entry["shown"]["findings"]);
    }
  }
  for (const auto& entry : std::filesystem::recursive_directory_iterator(traces)) {
    const std::filesystem::path name =
        std::filesystem::relative(entry.path(), traces).replace_extension();
    const auto is_known = [&](const WholeTrace& known) { return known.name == name; };
    // Of programs of the catalogue once more, or with other kernels.
    const bool is_of_case = *name.begin() == "pairs" || *name.begin() == "h100";
    if (entry.path().extension() != ".sqlite" || is_of_case ||
        std::any_of(accuracy.whole.begin(), accuracy.whole.end(), is_known)) {
      continue;
    }
    const analyzer::Report report = analyzer::analyze(analyzer::read_trace(entry.path()), {});
    accuracy.whole.push_back(whole(name, report));
  }
  const auto by_name = [](const auto& a, const auto& b) { return a.name < b.name; };
  std::stable_sort(accuracy.whole.begin(), accuracy.whole.end(), by_name);
  return accuracy;
}

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  for (double& value : values) value = std::abs(value);
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double worst_of(const std::vector<double>& values) {
  double worst = 0;
  for (const double value : values) worst = std::max(worst, std::abs(value));
  return worst;
}

std::vector<double> errors_of(const std::vector<AccuracyPair>& pairs,
                              double (AccuracyPair::*error)() const) {
  std::vector<double> errors;
  for (const AccuracyPair& pair : pairs) errors.push_back((pair.*error)());
  return errors;
}

}  // namespace lapscope::test
