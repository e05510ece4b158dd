#include "cli/trace_database.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "cli/analysis_options.h"
#include "cli/commands.h"
#include "cli/reading_options.h"
#include "collector/schema/views.h"
#include "collector/trace/trace_writer.h"
#include "readers/open_trace.h"
#include "readers/trace_format.h"
#include "reports/words/format.h"
#include "reports/words/health_words.h"

extern char** environ;

namespace lapscope::cli {
namespace {

namespace fs = std::filesystem;

constexpr int not_found = 127;

// Runs a command. Returns its exit status as a shell would: 127 if the command was not found, and
// 128 + N if signal N ended it.
int status_of(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  // The tool's output must not mix with the results on standard output.
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int error =
      ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return not_found;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  constexpr int signalled = 128;
  return WIFEXITED(status) ? WEXITSTATUS(status) : signalled + WTERMSIG(status);
}

// Returns the words as a command to paste into a shell.
std::string text_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : " ") + reports::shell_word(word);
  }
  return text;
}

schema::Database imported(const std::string& file, const analyzer::TraceFormat& format) {
  auto writer = trace::TraceWriter::unread(schema::Database::unnamed());
  format.file.import(file, writer, nullptr, row_limit());
  writer.finish();
  return trace::TraceWriter::taken(std::move(writer));
}

schema::Database opened(const std::string& file) {
  const analyzer::TraceFormat* const source = analyzer::format_of_source(file);
  if (source && source->file.import) return imported(file, *source);
  analyzer::OpenedTrace trace = analyzer::open_trace(file);
  if (trace.unread_log) say("'", file, "': ", reports::message_of(*trace.unread_log));
  return std::move(trace.database);
}

}  // namespace

schema::Database database_for_sql(const std::string& file) {
  const analyzer::TraceFormat* const source = analyzer::format_of_source(file);
  if (source && source->file.export_command) {
    const ExportedFile exported = export_showing_progress(file, *source);
    // The database stays open and readable after the destructor of `exported` removes its name.
    return database_for_sql(exported.path().string());
  }
  schema::Database database = opened(file);
  database.execute("PRAGMA temp_store = MEMORY; PRAGMA query_only = OFF");
  schema::create_views(database, schema::ViewPlace::of_connection);
  database.execute("PRAGMA query_only = ON");
  database.allow_only_select();
  return database;
}

ExportedFile::ExportedFile(const fs::path& file, const analyzer::TraceFormat& format) {
  const std::string name = "'" + file.string() + "'";
  const std::string tool(format.recorder);
  const auto words = format.file.export_command(file, fs::path(file).replace_extension(".sqlite"));
  if (!fs::exists(file)) throw std::runtime_error(name + " does not exist.");
  std::string folder = (fs::temp_directory_path() / "lapscope-export-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) {
    throw std::runtime_error("No temporary folder for the export of " + name + " can be made in '" +
                             fs::temp_directory_path().string() +
                             "'. Export the file yourself: " + text_of(words));
  }
  folder_ = folder;
  path_ = folder_ / file.filename().replace_extension(".sqlite");
  const int status = status_of(format.file.export_command(file, path_));
  if (status == 0 && fs::exists(path_)) return;
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
  throw std::runtime_error(
      status == not_found
          ? name + " is a report of " + tool + ", and no " + words[0] +
                " is on PATH to export it. On a machine that has it, run: " + text_of(words)
          : name + " could not be exported: " + words[0] + " ended with exit status " +
                std::to_string(status) +
                ". It must be at least as new as the one that recorded the report. To see its "
                "message, run: " +
                text_of(words));
}

ExportedFile::~ExportedFile() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

}  // namespace lapscope::cli
