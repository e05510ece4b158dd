#pragma once

#include <string>
#include <vector>

#include "analyzer/findings/predict.h"

namespace lapscope::cli {

// parse_fix(), parse_fixes() and parse_scale() throw std::invalid_argument with a sentence that
// names the error and the valid values.

// Parses a value of --fix: "default-stream-barrier", "stream-order:3",
// "host-sync:site=cudaStreamSynchronize*".
analyzer::FixRequest parse_fix(const std::string& text);
// Parses several fixes, separated by commas: "stream-order,host-sync". Only the last fix may have a
// colon. Commas after this colon belong to the name of the call site.
std::vector<analyzer::FixRequest> parse_fixes(const std::string& text);
// Parses a value of --scale: "h2d=2".
analyzer::FixRequest parse_scale(const std::string& text);

// Returns the error as a sentence.
std::string sentence_of(const analyzer::NothingAtSite& error);

}  // namespace lapscope::cli
