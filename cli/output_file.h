#pragma once

#include <filesystem>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

namespace lapscope::cli {

// The one check of every command that writes: `output` is none of the files that it reads, not even
// under another name, nor one that SQLite keeps beside them. Throws CLI::ValidationError.
void refuse_to_write_over(const std::string& output, const std::vector<std::string>& inputs);

// A file that is put in its place when it is complete: whoever reads it never sees half of it, and
// what stood there stays when the work fails. Until then it has no name, so that nothing is left of
// it however the process ends; only where the file system knows no such files (NFS, or without
// /proc) it stands beside its place, and stays there when the process is killed. "-" is standard
// output; what is no regular file (a pipe, a device) is written to directly.
//
//   OutputFile file("report.html", {"t.sqlite"});   // throws if it could not be written there
//   …                                 // long work
//   render(…, file.stream());
//   file.commit();
class OutputFile {
 public:
  // `inputs` are what the command reads: see refuse_to_write_over. Throws std::runtime_error with a
  // sentence that names the file where it cannot be written.
  OutputFile(std::string path, const std::vector<std::string>& inputs);
  ~OutputFile();
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;

  // What is written here goes to the file that has no name yet; what is for standard output, a pipe
  // or a device is kept until commit().
  std::ostream& stream();
  // The file that has no place yet by a name, for who writes it otherwise than through stream(): no
  // other file can be made beside that name. Only where is_stdout() is false and the place is none
  // of a pipe or device.
  std::filesystem::path name_to_open() const;
  // Throws std::runtime_error when not everything could be written; then nothing has changed.
  void commit();

  const std::string& path() const { return path_; }
  bool is_stdout() const { return path_ == "-"; }

 private:
  bool give_name();      // beside its place; whether that worked
  void open_beside();    // a file with a name
  void copy_beside();    // likewise, with what was written so far
  void write_content();  // what was kept

  std::string path_;               // as it was given
  std::filesystem::path place_;    // where a symbolic link leads, also one that leads nowhere yet
  std::filesystem::path written_;  // the file beside it; empty while there is none
  bool is_nameless_ = false;       // the descriptor's file has no name yet
  int descriptor_ = -1;
  class Sink;
  std::unique_ptr<Sink> sink_;  // null: what is written is kept
  std::ostringstream content_;
};

}  // namespace lapscope::cli
