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

// A gate file is a TOML file beside the sources of a program. docs/ci.md lists the keys.
struct GateFile {
  std::vector<Gate> gates;  // in the order of the file; at least one
  // The patterns of communication kernels. If empty, the default patterns apply.
  std::vector<std::string> communication;
  RangeThreads range_threads = RangeThreads::helpers;
};

// An error in a gate file. what() is a place and a sentence, such as "lapscope.toml:7:3: there is
// no gate".
class GateFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Parses the text of a gate file. `name` is the name of the file in messages and places. Throws
// GateFileError.
GateFile read_gate_file(std::string_view text, const std::string& name);

// Makes a gate file from `runs`, which are repeats of one program. Returns its text. All these runs
// pass the gate file. Each bound is the worst value of the repeats, made worse by the share
// `margin` of this value (for ratios, by at least 0.02). A bound that no run could miss is left
// out.
//
// `terms` is a gate without conditions. It determines the scopes for which gates are written
// (gated_work_of()). Each written gate allows what `terms` allows. If a scope cannot be evaluated,
// writes a comment instead of its gate. sentence_of() returns the text of this comment. Requires a
// run with a device.
std::string write_gate_file(std::span<const RunSummary> runs, double margin,
                            std::string (*sentence_of)(const Remark& trouble),
                            const Gate& terms = {});

}  // namespace lapscope::analyzer
