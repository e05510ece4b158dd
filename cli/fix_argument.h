#pragma once

#include <string>
#include <vector>

#include "analyzer/findings/predict.h"

namespace lapscope::cli {

// parse_fix() parses a value of --fix: "default-stream-barrier", "stream-order:3",
// "host-sync:site=cudaStreamSynchronize*". parse_scale() parses a value of --scale: "h2d=2". Both
// functions throw std::invalid_argument with a sentence that names the error and the valid values.
analyzer::FixRequest parse_fix(const std::string& text);
// Parses several fixes, separated by commas: "stream-order,host-sync". Only the last fix may have a
// colon. Commas after this colon belong to the name of the call site.
std::vector<analyzer::FixRequest> parse_fixes(const std::string& text);
analyzer::FixRequest parse_scale(const std::string& text);

// Returns the error as a sentence.
std::string sentence_of(const analyzer::NothingAtSite& error);

}  // namespace lapscope::cli
