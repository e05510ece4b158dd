#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/gate/gate.h"
#include "analyzer/gate/remark.h"
#include "analyzer/summary/summary.h"

namespace lapscope::analyzer {

// The content of a gate file. A gate file is a TOML file beside the sources of a program.
// docs/ci.md lists the keys.
struct GateFile {
  std::vector<Gate> gates;                 // in the order of the file; at least one
  std::vector<std::string> communication;  // patterns of communication kernels; empty: the default
  RangeThreads range_threads = RangeThreads::helpers;
};

// An error in a gate file. what() is a place and a sentence, such as "lapscope.toml:7:3: there is
// no gate".
class GateFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Reads the text of a gate file. `name` is the name of the file in messages and places. Throws
// GateFileError.
GateFile read_gate_file(std::string_view text, const std::string& name);

// Returns the text of a gate file. The gates are made so that `runs` pass them. `runs` are repeats
// of one program. Each bound is the worst figure of the repeats, plus or minus a margin. The margin
// is the share `margin` of this figure. For ratios, it is at least 0.02. A bound is left out if no
// run could miss it.
//
// `terms` is a gate without conditions. It names the scopes for which gates are written, and what
// these gates allow. If a scope cannot be evaluated, the file has a comment instead of its gate.
// `sentence_of` returns the sentence of this comment. Requires a run with a device.
std::string write_gate_file(std::span<const RunSummary> runs, double margin,
                            std::string (*sentence_of)(const Remark& trouble),
                            const Gate& terms = {});

}  // namespace lapscope::analyzer
