#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "workloads/streams/suite/case.h"

namespace lapscope::workloads::streams {

struct Options {
  const Case* chosen = nullptr;
  const Variant* variant = nullptr;
  Shape shape;
  int repeats = 1;
  std::vector<UsualChoice> usual = {};  // Kernels to run the case with, one after the other.
};

// Returns the checked options, or nothing after printing the help or the list. Throws UsageError.
std::optional<Options> parse_options(int argc, char** argv);

// Prints a table. Each variant is a line with its planted causes and its needs.
void list_as_text(std::ostream& out, const std::vector<Case>& cases);

// Prints JSON, from which the catalogue of recorded traces is made: {"schema": "lapscope-cases/1",
// "cuda": the version of the build, "cases": [{name, wrong, fix, gpus, libraries, once, variants:
// [{name, causes, planted, environment, wall_tolerance, sum_tolerance}]}]}. `planted` has the lines
// of the mistake, such as workloads/streams/cases/host_sync.cpp:38. A tolerance of 0.08 means 8 %.
void list_as_json(std::ostream& out, const std::vector<Case>& cases);

}  // namespace lapscope::workloads::streams
