#pragma once

#include <filesystem>
#include <stdexcept>

#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// A file that cannot be analyzed. what() is a sentence for the user that names the file.
class UnreadableTrace : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Reads a trace of lapscope, or an SQLite export of Nsight Systems as far as it tells the same
// things. Nothing is written, not even beside the file. Throws UnreadableTrace.
Trace read_trace(const std::filesystem::path& path);

}  // namespace lapscope::analyzer
