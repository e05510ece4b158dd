#pragma once

#include <filesystem>
#include <string>

#include "collector/schema/sqlite.h"
#include "readers/trace_format.h"

namespace lapscope::cli {

// Opens a trace of any format read-only for the user's SQL. Adds the views of
// collector/schema/views.h to this connection. Imports a file that is not a database into an
// unnamed database. If a part of the file was not read, prints a line on standard error. Throws a
// std::exception with a sentence if the file cannot be read.
schema::Database database_for_sql(const std::string& file);

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
