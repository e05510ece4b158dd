#pragma once

#include <filesystem>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

namespace lapscope::cli {

// Throws CLI::ValidationError if writing to `output` would change an input. This is so if `output`
// is one of the `inputs`, even under another name or through a link, or if it is a file that SQLite
// keeps beside an input (-wal, -shm, -journal). Every command that writes files calls this
// function.
void refuse_to_write_over(const std::string& output, const std::vector<std::string>& inputs);

// A file that appears at its path only when it is complete. Until it is, a file that already exists
// at the path is not changed. The new file has no name (O_TMPFILE), so it disappears if the process
// ends. Where O_TMPFILE does not work (NFS, or no /proc), a temporary file beside the path is
// written instead. This file remains if the process is killed. The path "-" is standard output.
// Standard output, pipes and devices are written to directly.
//
//   OutputFile file("report.html", {"t.sqlite"});   // throws if it could not be written there
//   …                                 // long work
//   render(…, file.stream());
//   file.commit();
class OutputFile {
 public:
  // `inputs` are the files that the command reads: see refuse_to_write_over. If the file at `path`
  // cannot be written, throws std::runtime_error with a sentence that names the file.
  OutputFile(std::string path, const std::vector<std::string>& inputs);
  ~OutputFile();
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;

  // Returns the stream to write to. For standard output, a pipe or a device, the text stays in
  // memory until commit().
  std::ostream& stream();
  // Returns a name with which code can open the uncommitted file, instead of writing to stream().
  // Requires a regular file. The name can be in /proc, where no other file, such as a journal, can
  // be created.
  std::filesystem::path name_to_open() const;
  // Moves the file to its path. If not everything could be written, leaves the path unchanged and
  // throws std::runtime_error.
  void commit();

  const std::string& path() const { return path_; }
  bool is_stdout() const { return path_ == "-"; }

 private:
  bool give_name();      // gives the file a name beside its path; returns whether that worked
  void open_beside();    // creates a file with a name
  void copy_beside();    // creates a file with a name, and copies the content so far into that file
  void write_content();  // writes content_

  std::string path_;               // as given
  std::filesystem::path place_;    // path_ with symbolic links resolved; may not exist yet
  std::filesystem::path written_;  // the temporary file with a name; empty if there is none
  bool is_nameless_ = false;       // the file of descriptor_ has no name yet
  int descriptor_ = -1;
  class Sink;
  std::unique_ptr<Sink> sink_;  // null if the output is kept in content_
  std::ostringstream content_;
};

}  // namespace lapscope::cli
