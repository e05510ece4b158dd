#include "cli/nsys_report.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <vector>

#include "reports/words/format.h"

extern char** environ;

namespace lapscope::cli {
namespace {

namespace fs = std::filesystem;

// The exit status, as a shell gives it; 127 when nsys is not there.
int run_nsys(const fs::path& report, const fs::path& output) {
  std::vector<std::string> words = {
      "nsys", "export", "--type", "sqlite", "-o", output, "--force-overwrite=true", report};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  // Standard output is for results.
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, "nsys", &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  constexpr int not_found = 127;
  if (error != 0) return not_found;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  constexpr int signalled = 128;
  return WIFEXITED(status) ? WEXITSTATUS(status) : signalled + WTERMSIG(status);
}

// To be pasted.
std::string command_for(const fs::path& report) {
  return "nsys export --type sqlite -o " +
         reports::shell_word(fs::path(report).replace_extension(".sqlite").string()) + " " +
         reports::shell_word(report.string());
}

}  // namespace

bool is_nsys_report(const fs::path& file) {
  return file.extension() == ".nsys-rep" || file.extension() == ".qdrep";
}

ExportedReport::ExportedReport(const fs::path& report) {
  const std::string name = "'" + report.string() + "'";
  if (!fs::exists(report)) throw std::runtime_error(name + " does not exist.");
  std::string folder = (fs::temp_directory_path() / "lapscope-export-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) {
    throw std::runtime_error("No folder for the export of " + name + " can be made in '" +
                             fs::temp_directory_path().string() +
                             "'. Export it: " + command_for(report));
  }
  folder_ = folder;
  path_ = folder_ / report.filename().replace_extension(".sqlite");
  const int status = run_nsys(report, path_);
  if (status == 0 && fs::exists(path_)) return;
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
  constexpr int not_found = 127;
  throw std::runtime_error(
      status == not_found
          ? name +
                " is a report of Nsight Systems, and no nsys is on PATH to export it. Where "
                "there is one, run: " +
                command_for(report)
          : name + " could not be exported: nsys ended with exit status " + std::to_string(status) +
                ". It must be at least as new as the one that recorded "
                "the report. See what it says: " +
                command_for(report));
}

ExportedReport::~ExportedReport() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

}  // namespace lapscope::cli
