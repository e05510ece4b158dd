#pragma once

#include <filesystem>
#include <sstream>
#include <string>

namespace lapscope::cli {

// A file that is written beside its place and put there when it is complete: whoever reads it never
// sees half of it, and what stood there stays when the work fails. "-" is standard output; what is
// no regular file (a pipe, a device) is written to directly.
//
//   OutputFile file("report.html");   // throws if it could not be written there
//   …                                 // long work
//   render(…, file.stream());
//   file.commit();
class OutputFile {
 public:
  // Throws std::runtime_error with a sentence that names the file.
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;

  // What is written here is kept until commit().
  std::ostream& stream() { return content_; }
  // Throws std::runtime_error when not everything could be written; then nothing has changed.
  void commit();

  const std::string& path() const { return path_; }
  bool is_stdout() const { return path_ == "-"; }

 private:
  std::string path_;               // as it was given
  std::filesystem::path place_;    // where a symbolic link leads
  std::filesystem::path written_;  // the file beside it; empty when there is none
  int descriptor_ = -1;
  std::ostringstream content_;
};

}  // namespace lapscope::cli
