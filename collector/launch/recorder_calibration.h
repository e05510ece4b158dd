#pragma once

#include <chrono>
#include <string>

#include "collector/launch/kept_costs.h"
#include "collector/launch/recording.h"

// What recording adds to each call on this machine: a small program that does nothing but call CUDA
// does so without CUPTI and recorded, in turn, many times a second.
namespace lapscope::launch {

struct Calibration {
  KeptCosts found;
  std::filesystem::path file;  // where it is kept; empty where it is not
  std::size_t rounds = 0;
  std::size_t undisturbed = 0;  // rounds that medians were taken of
  std::string problem;          // a sentence where there is nothing
};

// Calibrates for as long as `longest`, and no longer than is useful, with the request and the
// libcupti of the options. Keeps the result in place of what was known.
Calibration calibrate(const RecordOptions& options, std::chrono::milliseconds longest);

// Adds to the traces of a recording what it cost: what is kept for their setting, else what a
// calibration finds now, within 3 s. If there is none, the traces say why. Nothing is measured
// while other ranks of the program, or another recording around this one, may run.
void add_call_costs(const RecordOptions& options, const Recording& recording);

}  // namespace lapscope::launch
