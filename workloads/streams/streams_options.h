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

// Returns the checked options, or nothing after printing help or the list. Throws UsageError, which
// names the option, its limits or the valid names.
std::optional<Options> parse_options(int argc, char** argv);

// Prints a table with one line per variant: its planted causes and its needs.
void list_as_text(std::ostream& out, const std::vector<Case>& cases);

// Prints JSON, the base of the catalogue of recorded traces: {"schema": "lapscope-cases/1", "cuda":
// the version built with, "cases": [{name, wrong, fix, gpus, libraries, once, variants: [{name,
// causes, planted, environment, wall_tolerance, sum_tolerance}]}]}. `planted` lists the lines of
// the mistake as cases/host_sync.cpp:38, with the folders from the root of the sources. Tolerances
// are shares.
void list_as_json(std::ostream& out, const std::vector<Case>& cases);

}  // namespace lapscope::workloads::streams
