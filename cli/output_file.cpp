#include "cli/output_file.h"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/Error.hpp>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <streambuf>
#include <string_view>
#include <utility>
#include <vector>

#include "collector/trace/output_name.h"

namespace lapscope::cli {
namespace {

using trace::led_to;

namespace fs = std::filesystem;

// This folder has a link to each open file of this process. OutputFile uses the link of a file
// without a name to open the file, and to give it a name.
constexpr const char* open_files = "/proc/self/fd";

[[noreturn]] void fail(const std::string& path, int error) {
  throw std::runtime_error("'" + path + "' cannot be written: " + std::strerror(error) + ".");
}

// Returns the permissions of a file. If there is no file, returns the permissions that a new file
// would get.
mode_t permissions_of(const fs::path& place) {
  struct stat status {};
  if (::stat(place.c_str(), &status) == 0) return status.st_mode & 0777U;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666U & ~mask;
}

// Writes all of `content`. Returns the error number, or 0.
int write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t more = ::write(descriptor, content.data(), content.size());
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) return errno;
    content.remove_prefix(static_cast<std::size_t>(more));
  }
  return 0;
}

// Whether two paths name the same file. The file need not exist.
bool are_one_file(const fs::path& a, const fs::path& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  return fs::weakly_canonical(fs::absolute(led_to(a)), error) ==
         fs::weakly_canonical(fs::absolute(led_to(b)), error);
}

}  // namespace

// Writes to a file through a small buffer, so that a large result is never in memory as a whole.
// Stores the first error number for commit(), because a std::ostream has none.
class OutputFile::Sink : public std::streambuf {
 public:
  explicit Sink(int descriptor) : descriptor_(descriptor), buffer_(std::size_t{1} << 20U) {
    setp(buffer_.data(), buffer_.data() + buffer_.size());
  }

  std::ostream& stream() { return stream_; }
  // Returns the first error number, or 0.
  int flush() {
    const auto size = static_cast<std::size_t>(pptr() - pbase());
    if (error_ == 0) error_ = write_all(descriptor_, {pbase(), size});
    setp(buffer_.data(), buffer_.data() + buffer_.size());
    return error_;
  }

 protected:
  int_type overflow(int_type letter) override {
    if (flush() != 0) return traits_type::eof();
    if (!traits_type::eq_int_type(letter, traits_type::eof())) {
      sputc(traits_type::to_char_type(letter));
    }
    return traits_type::not_eof(letter);
  }
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    if (size < epptr() - pptr()) return std::streambuf::xsputn(text, size);
    if (flush() == 0) error_ = write_all(descriptor_, {text, static_cast<std::size_t>(size)});
    return error_ == 0 ? size : 0;
  }
  int sync() override { return flush() == 0 ? 0 : -1; }

 private:
  int descriptor_;
  int error_ = 0;
  std::vector<char> buffer_;
  std::ostream stream_{this};
};

void refuse_to_write_over(const std::string& output, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    // SQLite reads these files with the database, if they exist.
    for (const char* part : {"", "-wal", "-shm", "-journal"}) {
      if (!are_one_file(output, input + part)) continue;
      throw CLI::ValidationError("'" + output + "' is the output, and would replace the input '" +
                                 input + part + "'. Name another output file.");
    }
  }
}

OutputFile::OutputFile(std::string path, const std::vector<std::string>& inputs)
    : path_(std::move(path)), place_(path_) {
  if (is_stdout()) return;
  refuse_to_write_over(path_, inputs);
  std::error_code error;
  if (fs::is_directory(place_, error)) fail(path_, EISDIR);
  place_ = led_to(place_);
  if (fs::is_symlink(place_, error)) fail(path_, ELOOP);
  const bool exists = fs::exists(place_, error);
  if (exists && !fs::is_regular_file(place_, error)) {
    descriptor_ = ::open(place_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail(path_, errno);
    return;
  }
  // Refuses to replace a write-protected file, although rename() could replace it.
  if (exists && ::access(place_.c_str(), W_OK) != 0) fail(path_, errno);
  const fs::path folder = place_.has_parent_path() ? place_.parent_path() : ".";
  if (::access(open_files, X_OK) == 0) {
    descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  }
  is_nameless_ = descriptor_ >= 0;
  if (!is_nameless_) open_beside();
  ::fchmod(descriptor_, permissions_of(place_));
  sink_ = std::make_unique<Sink>(descriptor_);
}

std::ostream& OutputFile::stream() {
  if (sink_) return sink_->stream();
  return content_;
}

fs::path OutputFile::name_to_open() const {
  return written_.empty() ? fs::path(open_files) / std::to_string(descriptor_) : written_;
}

void OutputFile::open_beside() {
  std::string name = place_.string() + ".XXXXXX";
  descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor_ < 0) fail(path_, errno);
  written_ = name;
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      place_(std::move(other.place_)),
      written_(std::exchange(other.written_, {})),
      is_nameless_(std::exchange(other.is_nameless_, false)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      sink_(std::move(other.sink_)),
      content_(std::move(other.content_)) {}

OutputFile::~OutputFile() {
  std::error_code ignored;
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!written_.empty()) fs::remove(written_, ignored);
}

bool OutputFile::give_name() {
  const std::string file = open_files + ("/" + std::to_string(descriptor_));
  for (unsigned n = 0;; ++n) {
    const std::string name =
        place_.string() + "." + std::to_string(::getpid()) + "-" + std::to_string(n);
    if (::linkat(AT_FDCWD, file.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      written_ = name;
      return true;
    }
    if (errno != EEXIST) return false;
  }
}

void OutputFile::copy_beside() {
  const int nameless = descriptor_;
  const auto size = ::lseek(nameless, 0, SEEK_END);
  open_beside();
  ::fchmod(descriptor_, permissions_of(place_));
  int error = 0;
  for (off_t done = 0; done < size && error == 0;) {
    const auto left = static_cast<std::size_t>(size - done);
    const ssize_t more = ::sendfile(descriptor_, nameless, &done, left);
    if (more <= 0 && errno != EINTR) error = more == 0 ? EIO : errno;
  }
  ::close(nameless);
  if (error != 0) fail(path_, error);
}

void OutputFile::write_content() {
  const int error = write_all(is_stdout() ? STDOUT_FILENO : descriptor_, content_.view());
  if (error != 0) fail(is_stdout() ? "standard output" : path_, error);
}

void OutputFile::commit() {
  if (sink_) {
    if (const int error = sink_->flush(); error != 0) fail(path_, error);
  } else {
    write_content();
  }
  if (is_stdout()) return;
  if (is_nameless_ && !give_name()) copy_beside();
  if (::close(std::exchange(descriptor_, -1)) != 0) fail(path_, errno);
  if (written_.empty()) return;
  if (::rename(written_.c_str(), place_.c_str()) != 0) fail(path_, errno);
  written_.clear();
}

}  // namespace lapscope::cli
