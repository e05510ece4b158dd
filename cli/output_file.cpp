#include "cli/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace lapscope::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* open_files = "/proc/self/fd";  // through which they can be given a name

[[noreturn]] void fail(const std::string& path, int error) {
  throw std::runtime_error("'" + path + "' cannot be written: " + std::strerror(error) + ".");
}

// The permissions that a file there has, or that a new one would get.
mode_t permissions_of(const fs::path& place) {
  struct stat status {};
  if (::stat(place.c_str(), &status) == 0) return status.st_mode & 0777U;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666U & ~mask;
}

// Also where there is no file yet.
bool are_one_file(const fs::path& a, const fs::path& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  return fs::weakly_canonical(fs::absolute(a), error) ==
         fs::weakly_canonical(fs::absolute(b), error);
}

}  // namespace

void refuse_to_write_over(const std::string& output, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    // What SQLite keeps beside a database belongs to it, and is read when it is there.
    for (const char* part : {"", "-wal", "-shm", "-journal"}) {
      if (!are_one_file(output, input + part)) continue;
      throw CLI::ValidationError("'" + output + "' would be written over '" + input + part +
                                 "', which is read. Name another file.");
    }
  }
}

OutputFile::OutputFile(std::string path, const std::vector<std::string>& inputs)
    : path_(std::move(path)), place_(path_) {
  if (is_stdout()) return;
  refuse_to_write_over(path_, inputs);
  std::error_code error;
  if (fs::is_directory(place_, error)) fail(path_, EISDIR);
  if (const fs::path led = fs::canonical(place_, error); !error) place_ = led;
  const bool exists = fs::exists(place_, error);
  if (exists && !fs::is_regular_file(place_, error)) {
    descriptor_ = ::open(place_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail(path_, errno);
    return;
  }
  // A file that may not be written is not to be replaced either.
  if (exists && ::access(place_.c_str(), W_OK) != 0) fail(path_, errno);
  const fs::path folder = place_.has_parent_path() ? place_.parent_path() : ".";
  if (::access(open_files, X_OK) == 0) {
    descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  }
  is_nameless_ = descriptor_ >= 0;
  if (!is_nameless_) open_beside();
  ::fchmod(descriptor_, permissions_of(place_));
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

void OutputFile::write_content() {
  const std::string_view content = content_.view();
  for (std::size_t done = 0; done < content.size();) {
    const ssize_t more = ::write(is_stdout() ? STDOUT_FILENO : descriptor_, content.data() + done,
                                 content.size() - done);
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) fail(is_stdout() ? "standard output" : path_, errno);
    done += static_cast<std::size_t>(more);
  }
}

void OutputFile::commit() {
  write_content();
  if (is_stdout()) return;
  if (is_nameless_ && !give_name()) {
    ::close(std::exchange(descriptor_, -1));
    open_beside();
    ::fchmod(descriptor_, permissions_of(place_));
    write_content();
  }
  if (::close(std::exchange(descriptor_, -1)) != 0) fail(path_, errno);
  if (written_.empty()) return;
  if (::rename(written_.c_str(), place_.c_str()) != 0) fail(path_, errno);
  written_.clear();
}

}  // namespace lapscope::cli
