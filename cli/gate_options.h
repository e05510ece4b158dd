#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/analyze.h"
#include "analyzer/gate_file/gate_file.h"
#include "analyzer/intervals/units.h"

namespace lapscope::cli {

// The options of `gate` on the command line. An empty string is an option that was not given.
struct GateOptions {
  std::vector<std::string> files;
  std::string config;  // empty: lapscope.toml, if it exists and no condition was given

  std::vector<std::string> ranges;
  std::optional<analyzer::RangeThreads> range_threads;  // empty: the value in the gate file
  bool profiler_brackets = false;
  bool steady = false;
  bool whole = false;
  std::optional<std::int64_t> device;
  std::vector<std::string> communication;

  std::string min_overlap;
  std::string max_idle;
  std::vector<std::string> min;
  std::vector<std::string> max;
  std::vector<std::string> forbid;
  std::string over;
  bool possible = false;
  std::string baseline;
  std::vector<std::string> compare;
  std::vector<std::string> tolerance;
  std::int64_t min_ops = analyzer::Gate().least_ops;
  std::string max_replay_error;
  bool allow_other_gpu = false;
  bool allow_other_command = false;
  std::vector<std::string> allow;

  std::string format = "text";
  std::vector<std::string> write;  // FORMAT=FILE
  bool github = false;

  bool init = false;
  std::string margin = "10%";
  std::string output = "lapscope.toml";
};

// Returns the gate of the command line, followed by the gates of the gate file. Paths are relative
// to the working directory. Throws std::runtime_error if the gate file cannot be read, and
// WrongUsage for invalid options.
analyzer::GateFile gates_of(const GateOptions& options);

// Returns options for an analysis that covers everything that the gates check.
analyzer::AnalyzeOptions analysis_of(const analyzer::GateFile& gates);

// Returns the gate that the command line describes: its scope, and its conditions if there are any.
// Throws WrongUsage.
analyzer::Gate gate_of_command_line(const GateOptions& options);

// Parses a percentage: "50%" is 0.5. Throws WrongUsage.
analyzer::Share share_of(const std::string& option, const std::string& text);

}  // namespace lapscope::cli
