#pragma once

#include <chrono>
#include <string>

#include "collector/launch/kept_costs.h"
#include "collector/launch/recording.h"

// Measures the time that recording adds to each kind of call on this machine. A small program makes
// the same CUDA calls in two processes: one process without CUPTI, and one that is recorded. The
// two processes take turns many times a second.
namespace lapscope::launch {

struct Calibration {
  KeptCosts found;
  std::filesystem::path file;  // where the result is kept; empty if it is not kept
  std::size_t rounds = 0;
  std::size_t undisturbed = 0;  // rounds that the result is computed from
  std::string problem;          // a sentence if there is no result
  bool may_succeed = false;     // the problem is of this moment: a later calibration may succeed
};

// Calibrates with the request and the libcupti of `options`. Takes `longest` at most, and less if
// more time would not help. Stores the result in place of the earlier one.
Calibration calibrate(const RecordOptions& options, std::chrono::milliseconds longest);

// Writes into each trace of a recording the time that recording adds to calls. Takes the time from
// the stored calibration for the machine, the CUPTI and the request of the trace. If none is
// stored, calibrates now, within 3 s. If the calibration fails, writes the reason into the trace.
//
// Does not calibrate inside another recording, while other ranks of the program may run, or after a
// program that was asked to end. Returns the last calibration that a trace got; nothing if no trace
// got one.
std::optional<KeptCosts> add_call_costs(const RecordOptions& options, const Recording& recording);

// Returns the result of the last calibration of this host with the request of `options`; nothing if
// there is none.
std::optional<KeptCosts> known_costs(const RecordOptions& options);

}  // namespace lapscope::launch
