#include "collector/launch/older_trace.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "collector/trace/trace_file.h"

namespace lapscope::launch {
namespace {

namespace fs = std::filesystem;

std::string reason() { return std::string(std::strerror(errno)) + "."; }

}  // namespace

std::optional<std::string> refuse_output(const fs::path& output) {
  std::error_code ignored;
  const fs::file_status status = fs::status(output, ignored);
  if (fs::is_directory(status))
    return "it is a folder. Name a file with -o, or end the name with / for one file per process "
           "in it.";
  if (fs::exists(status)) {
    if (!fs::is_regular_file(status)) return "it is not a regular file.";
    if (fs::file_size(output, ignored) > 0 && !trace::is_trace(output)) {
      return "a file that is not a lapscope trace is there. Remove it or choose another name.";
    }
    // The old trace is replaced, not overwritten, so the folder must be writable.
    if (::access(fs::absolute(output).parent_path().c_str(), W_OK | X_OK) != 0) return reason();
    if (trace::is_being_written(output)) {
      return "another recording is writing it. Choose another name.";
    }
    return std::nullopt;
  }
  if (fs::is_symlink(output, ignored)) return "it is a symbolic link that leads to no file.";
  const int descriptor = ::open(output.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  if (descriptor < 0) return reason();
  ::close(descriptor);
  ::unlink(output.c_str());
  return std::nullopt;
}

SetAside::SetAside(fs::path output, const std::string& session)
    : output_(std::move(output)), aside_("." + session + ".replaced") {
  std::error_code failed;
  if (!fs::exists(output_)) return;  // without a trace, its -wal and other files need not be moved
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
    const std::string name = output_.string() + suffix;
    if (!fs::exists(name)) continue;
    fs::rename(name, name + aside_, failed);
    if (!failed) suffixes_.emplace_back(suffix);
  }
}

SetAside::~SetAside() {
  std::error_code ignored;
  for (const std::string& suffix : suffixes_) {
    const std::string name = output_.string() + suffix;
    fs::rename(name + aside_, name, ignored);
  }
}

void SetAside::discard() {
  std::error_code ignored;
  for (const std::string& suffix : suffixes_)
    fs::remove(output_.string() + suffix + aside_, ignored);
  suffixes_.clear();
}

}  // namespace lapscope::launch
