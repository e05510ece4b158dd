#pragma once

#include <filesystem>
#include <string>

namespace lapscope::cli {

// Whether a file is a report of Nsight Systems, by its name: nothing but nsys reads those.
bool is_nsys_report(const std::filesystem::path& file);

// An SQLite export of a report, made by the nsys on PATH in a folder of its own, which goes with
// this. Throws std::runtime_error with a sentence that has the command to run where there is no
// nsys, or it fails.
class ExportedReport {
 public:
  explicit ExportedReport(const std::filesystem::path& report);
  ~ExportedReport();
  ExportedReport(const ExportedReport&) = delete;
  ExportedReport& operator=(const ExportedReport&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path folder_;
  std::filesystem::path path_;
};

}  // namespace lapscope::cli
