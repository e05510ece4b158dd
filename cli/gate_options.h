#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "analyzer/analysis/analyze.h"
#include "analyzer/gate_file/gate_file.h"
#include "analyzer/intervals/units.h"

namespace lapscope::cli {

// What `gate` was asked on the command line, as it was written. A text that is empty was not given:
// the command line takes none.
struct GateOptions {
  std::vector<std::string> files;
  std::string config;  // empty: lapscope.toml, if there is one and no condition was given

  std::vector<std::string> ranges;
  std::optional<analyzer::RangeThreads> range_threads;  // else as the gate file says
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

// A command line that means nothing. what() is a sentence that names the option.
class WrongUsage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The gates of the command line and of the gate file, in this order; their files are seen from the
// working directory. Throws WrongUsage, and std::runtime_error for a gate file that cannot be read.
analyzer::GateFile gates_of(const GateOptions& options);

// All that its gates need to know of a trace.
analyzer::AnalyzeOptions analysis_of(const analyzer::GateFile& gates);

// What the command line says about how runs are evaluated, and which of their work: a gate without
// conditions if there are none. Throws WrongUsage.
analyzer::Gate gate_of_command_line(const GateOptions& options);

// "50%" as 0.5. Throws WrongUsage.
analyzer::Share share_of(const std::string& option, const std::string& text);

}  // namespace lapscope::cli
