#pragma once

#include <filesystem>

#include "readers/trace_format.h"

namespace lapscope::cli {

// An SQLite export of a file such as an Nsight Systems report. Only the tool that wrote such a file
// can read it. The constructor exports the file with this tool, which must be on PATH. The
// destructor removes the temporary folder with the export. `format` must have an export_command. If
// the tool is missing or fails, throws std::runtime_error with a sentence that contains the command
// to run.
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
