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

// Gates as a team keeps them beside its sources, in TOML; docs/ci.md lists the keys.
struct GateFile {
  std::vector<Gate> gates;                 // in the order of the file; at least one
  std::vector<std::string> communication;  // patterns of kernels; empty: as usual
  RangeThreads range_threads = RangeThreads::helpers;
};

// what() is "lapscope.toml:7:3: " and a sentence.
class GateFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// `name` is how the file is called in messages and places. Throws GateFileError.
GateFile read_gate_file(std::string_view text, const std::string& name);

// Writes a gate file that these repeats of one program pass, with bounds at a margin from their
// figures. `terms` says for which scopes there is to be a gate, as a gate without conditions, and
// what the gates are to allow; there is no gate for what cannot be evaluated. `margin` is a share
// of the figure (of a ratio, at least 0.02). Bounds that ask for nothing are left out.
// `sentence_of` has the words for what is in the way of a gate. Requires a run with a device.
std::string write_gate_file(std::span<const RunSummary> runs, double margin,
                            std::string (*sentence_of)(const Remark& trouble),
                            const Gate& terms = {});

}  // namespace lapscope::analyzer
