#include "collector/control/command_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <system_error>

#include "collector/trace/output_name.h"

namespace lapscope::control {
namespace {

namespace fs = std::filesystem;

constexpr const char* file_name = "command";
constexpr std::size_t longest_file = 4096;

}  // namespace

void make_command_file(const fs::path& folder) noexcept {
  const int file = ::open((folder / file_name).c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (file >= 0) ::close(file);
}

// The first line makes each command unique, so that a repeated command is read as a new one. The
// file is renamed into its place, so that nobody reads half a command.
void write_command_file(const fs::path& folder, const Command& command) {
  const std::string writer = trace::host_name() + "." + std::to_string(::getpid());
  const fs::path early = folder / ("." + std::string(file_name) + "." + writer);
  std::ofstream file(early, std::ios::trunc);
  file << writer << ' ' << std::chrono::system_clock::now().time_since_epoch().count() << '\n'
       << line_of(command) << '\n';
  file.close();
  if (!file || std::rename(early.c_str(), (folder / file_name).c_str()) != 0) {
    const std::system_error error(errno, std::generic_category(), (folder / file_name).string());
    ::unlink(early.c_str());
    throw error;
  }
}

void remove_unused(const fs::path& folder) noexcept {
  std::error_code ignored;
  for (fs::directory_iterator entry(folder, ignored), end; entry != end; entry.increment(ignored)) {
    if (entry->path().filename() != file_name) return;
  }
  fs::remove(folder / file_name, ignored);
  fs::remove(folder, ignored);
}

CommandFile::CommandFile(const fs::path& folder) : path_(folder / file_name), last_(read()) {}

// Opening the file makes NFS ask the server for its current contents.
std::string CommandFile::read() const {
  std::ifstream file(path_);
  std::string text(longest_file, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

std::optional<Command> CommandFile::next() {
  std::string text = read();
  if (text.empty() || text == last_) return std::nullopt;
  last_ = std::move(text);
  const std::size_t begin = last_.find('\n') + 1;  // 0 if there is no line
  const std::size_t end = last_.find('\n', begin);
  if (begin == 0 || end == std::string::npos) return std::nullopt;
  return command_of(std::string_view(last_).substr(begin, end - begin));
}

}  // namespace lapscope::control
