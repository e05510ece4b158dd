#pragma once

#include <filesystem>

#include "readers/trace_format.h"

namespace lapscope::cli {

// An SQLite export of a file that only its own tool reads, as a report of Nsight Systems, made by
// the tool on PATH in a folder of its own, which goes with this. The format has an export_command.
// Throws std::runtime_error with a sentence that has the command to run where there is no such
// tool, or it fails.
class ExportedFile {
 public:
  ExportedFile(const std::filesystem::path& file, const analyzer::TraceFormat& format);
  ~ExportedFile();
  ExportedFile(const ExportedFile&) = delete;
  ExportedFile& operator=(const ExportedFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path folder_;
  std::filesystem::path path_;
};

}  // namespace lapscope::cli
