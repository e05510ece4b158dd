#include "cli/gate_options.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "analyzer/gate/gate.h"
#include "analyzer/gate/parse_condition.h"
#include "analyzer/model/limits.h"
#include "cli/commands.h"

namespace lapscope::cli {
namespace {

namespace fs = std::filesystem;
using analyzer::Gate;
using analyzer::Sense;
using analyzer::Share;

constexpr const char* usual_file = "lapscope.toml";

// Returns the result of parse(). If parse() throws a ConditionError, throws WrongUsage with the
// name of the option and the error.
template <class F>
auto understood(const std::string& option, F&& parse) {
  try {
    return parse();
  } catch (const analyzer::ConditionError& error) {
    throw WrongUsage(option + ": " + error.what());
  }
}

void add_bounds(Gate& gate, const GateOptions& options) {
  const auto add_named = [&](const char* option, const std::string& value,
                             const analyzer::Measure& measure, Sense sense) {
    if (value.empty()) return;
    gate.bounds.push_back(
        understood(option, [&] { return analyzer::parse_bound(measure, sense, value); }));
  };
  const auto add_all = [&](const char* option, const std::vector<std::string>& texts, Sense sense) {
    for (const std::string& text : texts) {
      gate.bounds.push_back(understood(option, [&] { return analyzer::parse_bound(sense, text); }));
    }
  };
  add_named("--min-overlap", options.min_overlap, analyzer::overlap_ratio, Sense::at_least);
  add_named("--max-idle", options.max_idle, analyzer::idle_ratio, Sense::at_most);
  add_all("--min", options.min, Sense::at_least);
  add_all("--max", options.max, Sense::at_most);
}

void add_baseline(Gate& gate, const GateOptions& options) {
  if (options.baseline.empty()) {
    if (!options.compare.empty()) throw WrongUsage("--compare needs a --baseline to compare with");
    if (!options.tolerance.empty()) throw WrongUsage("--tolerance needs a --baseline");
    return;
  }
  analyzer::Baseline& baseline = gate.baseline.emplace();
  baseline.file = options.baseline;
  if (!options.compare.empty()) baseline.measures.clear();
  for (const std::string& name : options.compare) {
    baseline.measures.push_back(
        understood("--compare", [&] { return &analyzer::parse_compared(name); }));
  }
  if (!options.tolerance.empty()) baseline.tolerance = {};
  for (const std::string& text : options.tolerance) {
    understood("--tolerance", [&] { analyzer::add_tolerance(baseline.tolerance, text); });
  }
}

bool has_conditions(const Gate& gate) { return judges_traces(gate) || !gate.run_bans.empty(); }

// Throws WrongUsage if an option is given that controls how conditions are checked. Is called if
// the command line has no conditions: such an option would have no effect.
void refuse_idle_options(const GateOptions& options) {
  const std::pair<const char*, bool> given[] = {
      {"--range", !options.ranges.empty()},
      {"--profiler-brackets", options.profiler_brackets},
      {"--steady", options.steady},
      {"--whole", options.whole},
      {"--device", options.device.has_value()},
      {"--over", !options.over.empty()},
      {"--max-replay-error", !options.max_replay_error.empty()},
      {"--allow-other-gpu", options.allow_other_gpu},
      {"--allow-other-command", options.allow_other_command},
      {"--allow", !options.allow.empty()},
      {"--min-ops", options.min_ops != Gate().least_ops}};
  for (const auto& [option, is_given] : given) {
    if (!is_given) continue;
    throw WrongUsage(std::string(option) +
                     " applies to conditions on the command line, and there are none; in a gate "
                     "file, set it for each gate");
  }
}

std::string content_of(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    throw std::runtime_error("'" + path + "' does not exist. Let `lapscope gate --init` write it.");
  }
  if (!fs::is_regular_file(status)) {
    throw std::runtime_error("'" + path + "' is not a regular file, so no gate file.");
  }
  std::ifstream file(path, std::ios::binary);
  // One byte more than the limit is enough, because the parser refuses content above the limit.
  const auto most =
      std::min<std::uintmax_t>(fs::file_size(path, error), analyzer::limits::gate_file_bytes + 1);
  std::string content(error ? 0 : most, '\0');
  file.read(content.data(), static_cast<std::streamsize>(content.size()));
  content.resize(static_cast<std::size_t>(file.gcount()));
  if (!file && !file.eof()) throw std::runtime_error("'" + path + "' cannot be read.");
  return content;
}

std::string beside(const std::string& config, const std::string& file) {
  return (fs::path(config).parent_path() / file).string();
}

analyzer::GateFile gates_in(const std::string& config) {
  const std::string content = content_of(config);
  analyzer::GateFile read;
  try {
    read = analyzer::read_gate_file(content, config);
  } catch (const analyzer::GateFileError& error) {
    throw WrongUsage(error.what());
  }
  for (Gate& gate : read.gates) {
    for (std::string& trace : gate.traces) trace = beside(config, trace);
    if (gate.baseline) gate.baseline->file = beside(config, gate.baseline->file);
  }
  return read;
}

// Gives the files of the command line to each gate that names no traces.
void hand_out_files(std::vector<Gate>& gates, const std::vector<std::string>& files) {
  bool handed_out = false;
  for (Gate& gate : gates) {
    if (!gate.traces.empty()) continue;
    if (files.empty()) {
      throw WrongUsage("FILE is missing: gate '" + gate.name + "' names no traces of its own");
    }
    gate.traces = files;
    handed_out = true;
  }
  if (!handed_out && !files.empty()) {
    throw WrongUsage("'" + files.front() + "' is used by no gate: they all name their own traces");
  }
}

}  // namespace

Gate gate_of_command_line(const GateOptions& options) {
  Gate gate;
  gate.name = "command line";
  gate.ranges = options.ranges;
  gate.range_threads = options.range_threads.value_or(gate.range_threads);
  gate.profiler_brackets = options.profiler_brackets;
  if (options.steady && options.whole) {
    throw WrongUsage("--steady and --whole name two scopes; leave one out");
  }
  if (options.steady) gate.scope = analyzer::GateScope::steady;
  if (options.whole) gate.scope = analyzer::GateScope::whole;
  gate.device = options.device;
  gate.least_ops = options.min_ops;
  if (!options.max_replay_error.empty()) {
    gate.most_replay_error = share_of("--max-replay-error", options.max_replay_error);
  }
  gate.allow_other_gpu = options.allow_other_gpu;
  gate.allow_other_command = options.allow_other_command;
  for (const std::string& text : options.allow) {
    gate.allowed.insert(understood("--allow", [&] { return analyzer::parse_allowance(text); }));
  }
  if (!options.communication.empty()) gate.communication = options.communication;
  add_bounds(gate, options);
  for (const std::string& text : options.forbid) {
    understood("--forbid", [&] { analyzer::add_ban(gate, text, {}); });
  }
  if (options.possible && options.forbid.empty()) {
    throw WrongUsage("--possible needs a --forbid");
  }
  gate.forbids_possible = options.possible;
  if (!options.over.empty()) {
    gate.over = understood("--over", [&] { return analyzer::parse_over(options.over); });
  }
  add_baseline(gate, options);
  return gate;
}

Share share_of(const std::string& option, const std::string& text) {
  return understood(option, [&] { return analyzer::parse_share(text); });
}

analyzer::GateFile gates_of(const GateOptions& options) {
  analyzer::GateFile all;
  Gate own = gate_of_command_line(options);
  const bool is_own = has_conditions(own);
  std::string config = options.config;
  if (config.empty() && !is_own) {
    if (!fs::exists(usual_file)) {
      throw WrongUsage(
          "no condition is given: add one, as --min-overlap 0.5, or a gate file, which --init "
          "writes");
    }
    config = usual_file;
  }
  if (!config.empty()) all = gates_in(config);
  if (is_own) {
    if (const auto fault = check_gate(own)) throw WrongUsage(fault->sentence);
    all.gates.insert(all.gates.begin(), std::move(own));
  } else {
    refuse_idle_options(options);
  }
  if (!options.communication.empty()) all.communication = options.communication;
  if (options.range_threads) all.range_threads = *options.range_threads;
  for (Gate& gate : all.gates) {
    if (!all.communication.empty()) gate.communication = all.communication;
    gate.range_threads = all.range_threads;
  }
  hand_out_files(all.gates, options.files);
  return all;
}

analyzer::AnalyzeOptions analysis_of(const analyzer::GateFile& gates) {
  analyzer::AnalyzeOptions analysis;
  analysis.explain_whole = false;
  for (const Gate& gate : gates.gates) {
    analysis.ranges.insert(analysis.ranges.end(), gate.ranges.begin(), gate.ranges.end());
    analysis.profiler_brackets |= gate.profiler_brackets;
    // Bans on single traces always need the default scope, even if the gate evaluates the whole
    // run. Bans on all ranks together need it only if the gate does not evaluate the whole run.
    if (judges_default(gate) || !gate.bans.empty() ||
        (!gate.run_bans.empty() && !judges_whole(gate))) {
      analysis.focus = analyzer::Focus::steady;
    }
    analysis.explain_whole |= judges_whole(gate);
  }
  analysis.range_threads = gates.range_threads;
  if (!gates.communication.empty()) analysis.communication = gates.communication;
  return analysis;
}

}  // namespace lapscope::cli
