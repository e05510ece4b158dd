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
  std::vector<UsualChoice> usual = {};  // Kernels to run it with, one after the other.
};

// The checked options, or nothing if the user asked for help or for the list, now printed. Throws
// UsageError, which names the option, its limits or the valid names.
std::optional<Options> parse_options(int argc, char** argv);

// A table: one line for each variant, with what it plants and what it needs.
void list_as_text(std::ostream& out, const std::vector<Case>& cases);

// {"schema": "lapscope-cases/1", "cuda": the version built with, "cases": [{name, wrong, fix, gpus,
// libraries, once, variants: [{name, causes, planted, environment, wall_tolerance,
// sum_tolerance}]}]}: what the catalogue of recorded traces starts from. `planted` are the lines of
// the mistake, as cases/host_sync.cpp:38 with the folders from the root of the sources. The
// tolerances are shares.
void list_as_json(std::ostream& out, const std::vector<Case>& cases);

}  // namespace lapscope::workloads::streams
