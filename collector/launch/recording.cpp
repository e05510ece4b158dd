#include "collector/launch/recording.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <system_error>
#include <vector>

#include "collector/control/armed_processes.h"
#include "collector/control/control_commands.h"
#include "collector/control/control_socket.h"
#include "collector/environment.h"
#include "collector/launch/child_program.h"
#include "collector/schema/sqlite.h"
#include "collector/trace/failure_note.h"
#include "collector/trace/output_name.h"

namespace lapscope::launch {
namespace {

// Renames an older trace at the output path while the program is being started. discard() deletes
// the renamed trace. If discard() was not called, the destructor gives the trace its old name back.
// The new name contains `session`, the id of the recording, so no other file has it.
class SetAside {
 public:
  SetAside(std::filesystem::path output, const std::string& session);
  ~SetAside();
  SetAside(const SetAside&) = delete;
  SetAside& operator=(const SetAside&) = delete;
  void discard();

 private:
  std::filesystem::path output_;
  std::string aside_;                  // added to the names of moved files
  std::vector<std::string> suffixes_;  // of the files that were moved
};

namespace fs = std::filesystem;

std::string reason() { return std::string(std::strerror(errno)) + "."; }

// Returns a sentence with the reason if no trace can be written to a path. Returns nothing if a
// trace can be written. Changes no files.
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

namespace fs = std::filesystem;

nlohmann::ordered_json number_or_null(const std::string& text) {
  if (text.empty()) return nullptr;
  return std::stoll(text);
}

// Writes the manifest, a list of the traces of one recording. A folder may have traces of several
// recordings. The manifest shows which process wrote each trace and what the trace contains:
//   {"schema": "lapscope-recording/1", "session", "host", "command": [...], "exit_status",
//    "elapsed_ns", "traces": [{"file", "ops", "lost", "complete", "pid"|null, "rank"|null}]}
// Throws std::system_error when the manifest cannot be written.
void write_manifest(const fs::path& path, const RecordOptions& options, const Recording& recording,
                    const std::string& session) {
  nlohmann::ordered_json manifest = {{"schema", "lapscope-recording/1"},
                                     {"session", session},
                                     {"host", trace::host_name()},
                                     {"command", options.command},
                                     {"exit_status", recording.program.exit_status},
                                     {"elapsed_ns", recording.program.elapsed_ns},
                                     {"traces", nlohmann::ordered_json::array()}};
  for (const trace::Content& content : recording.traces) {
    manifest["traces"].push_back({{"file", content.path.filename().string()},
                                  {"ops", content.ops},
                                  {"lost", content.losses},
                                  {"complete", content.complete},
                                  {"pid", number_or_null(content.pid)},
                                  {"rank", number_or_null(content.rank)}});
  }
  std::ofstream file(path);
  // The manifest must be UTF-8. Invalid bytes in arguments are replaced.
  file << manifest.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  file.close();
  if (!file) throw std::system_error(errno, std::generic_category(), path.string());
}

std::optional<Refusal> check_injection() {
  for (const char* variable : {environment::cuda_injection, environment::nvtx_injection}) {
    const char* value = std::getenv(variable);
    if (value && *value && value == find_collector().path) {
      return Refusal{Refusal::Kind::usage, 0,
                     std::string(variable) +
                         " shows that this program runs already under `lapscope record`, and "
                         "CUPTI serves one tool at a time. Leave out one of the two `lapscope "
                         "record`."};
    }
    if (value && *value) {
      return Refusal{Refusal::Kind::usage, 0,
                     std::string(variable) + " is already set to '" + value +
                         "': another tool would be injected into the program, and CUPTI serves one "
                         "tool at a time. Unset it, or run without that tool."};
    }
  }
  return std::nullopt;
}

std::string new_session_id() {
  std::random_device random;
  constexpr char digits[] = "0123456789abcdef";
  std::string id;
  for (int i = 0; i < 16; ++i) id += digits[random() & 15U];
  return id;
}

bool is_folder_name(const fs::path& output) { return !output.has_filename(); }

// Adds the placeholder for the number of a capture, because an armed process writes a trace for
// each capture.
fs::path numbered(const fs::path& name) {
  return name.parent_path() / (name.stem().string() + ".%n" + name.extension().string());
}

// Returns the absolute path that the processes write to. Fills in the host name and the rank of
// this process. The processes fill in the other placeholders.
fs::path pattern_for(const fs::path& output, bool is_numbered) {
  fs::path name = is_folder_name(output) ? output / "%h.%r.%p.sqlite" : output;
  if (is_numbered && name.filename().string().find("%n") == std::string::npos) {
    name = numbered(name);
  }
  return trace::fill_in(fs::absolute(name),
                        {std::nullopt, environment::rank(), trace::host_name()});
}

// If the pattern is a symbolic link, returns the pattern of the file to which the link leads; this
// file need not exist. Otherwise, returns the pattern unchanged. A pattern with placeholders is
// never a link.
fs::path behind_link(const fs::path& pattern) {
  const fs::path link = trace::plain(pattern);
  std::error_code none;
  if (trace::is_open(pattern) || !fs::is_symlink(link, none)) return pattern;
  const fs::path target = trace::led_to(link);
  // A link may lead to a pipe, which has no path.
  const bool can_be_trace = fs::is_regular_file(link, none) || !fs::exists(link, none);
  return can_be_trace && target.has_filename() ? trace::pattern_of(target) : pattern;
}

// Returns the file in which processes report traces that they could not write. It is in the
// system's folder for temporary files, which may be on another disk than the traces.
fs::path note_file(const fs::path& output, const std::string& session) {
  std::error_code none;
  fs::path folder = fs::temp_directory_path(none);
  if (none) folder = fs::absolute(output).parent_path();
  return folder / ("lapscope-" + session + ".note");
}

std::vector<trace::WriteFailure> take_notes(const fs::path& note) {
  auto failures = trace::read_notes(note);
  std::error_code ignored;
  fs::remove(note, ignored);
  return failures;
}

void add_sentence(std::string& text, const std::string& sentence) {
  if (!text.empty()) text += ' ';
  text += sentence;
}

}  // namespace

Recording record(const RecordOptions& options) {
  Recording recording;
  const auto refuse = [&recording](Refusal refusal) {
    recording.refusal = std::move(refusal);
    return recording;
  };
  if (auto refusal = check_injection()) return refuse(std::move(*refusal));
  const CollectorLibrary collector = find_collector();
  if (collector.path.empty()) return refuse({Refusal::Kind::io, 0, collector.problem});
  std::error_code unseen;
  if (options.cupti && !fs::exists(*options.cupti, unseen)) {
    const std::string why = unseen ? " cannot be reached: '" : " does not exist: '";
    return refuse(
        {Refusal::Kind::io, 0, "the libcupti of --cupti" + why + options.cupti->string() + "'."});
  }
  const ResolvedProgram program = resolve_program(options.command.front());
  if (program.path.empty()) {
    return refuse({Refusal::Kind::program, program.exit_status, program.problem});
  }
  if (options.output.empty()) return refuse({Refusal::Kind::usage, 0, "-o needs a file name."});
  const std::string session = new_session_id();
  const bool has_folder = is_folder_name(options.output);
  const fs::path named = pattern_for(options.output, options.request.capture.is_armed());
  const fs::path pattern = behind_link(named);
  // The folder of the traces, as written by the user. If the output is a link, the folder to which
  // the link leads.
  const fs::path folder = (pattern == named ? options.output : pattern).parent_path();
  const bool is_open = trace::is_open(pattern);
  // If the processes fill in placeholders, the names of the traces are not known yet. In this case,
  // refuse_output() can check only the folder.
  const fs::path output = is_open ? pattern.parent_path() / ("." + session) : trace::plain(pattern);
  if (has_folder) {
    std::error_code failed;
    fs::create_directories(pattern.parent_path(), failed);
  }
  if (const auto why = refuse_output(output)) {
    return refuse({Refusal::Kind::io, 0,
                   "cannot write the trace '" + options.output.string() + "': " + *why});
  }

  const fs::path control = control::folder_beside(pattern.parent_path());
  if (options.request.capture.is_armed()) {
    if (const auto why = control::claim_folder(control)) {
      return refuse({Refusal::Kind::io, 0, "the program cannot be armed: " + *why});
    }
    control::make_command_file(control);
  }
  const fs::path note = note_file(output, session);
  Variables variables{
      {environment::cuda_injection, collector.path.string()},
      {environment::output, pattern.string()},
      {environment::session, session},
      {environment::flush_period, std::to_string(options.flush_period.count())},
      {environment::request, options.request.text()},
      {environment::capture, options.request.capture.text()},
      {environment::note, note.string()},
  };
  if (options.request.capture.is_armed())
    variables.emplace_back(environment::control, control.string());
  // Set this variable only if NVTX is recorded, because NVTX calls take no time without a tool.
  if (options.request.wants(request::Group::nvtx)) {
    variables.emplace_back(environment::nvtx_injection, collector.path.string());
  }
  if (options.cupti) {
    variables.emplace_back(environment::cupti, fs::absolute(*options.cupti).string());
  }
  variables.insert(variables.end(), options.environment.begin(), options.environment.end());
  SetAside old_trace(output, session);
  recording.program = run_program(program.path, options.command, variables);
  if (!recording.program.problem.empty()) return recording;
  old_trace.discard();
  if (options.request.capture.is_armed()) control::remove_unused(control);
  const std::vector<trace::WriteFailure> failures = take_notes(note);
  for (const fs::path& path : trace::traces_of_session(pattern, session)) {
    const auto failure = std::ranges::find(failures, path, &trace::WriteFailure::trace);
    try {
      recording.traces.push_back(
          trace::seal(path, {recording.program.exit_status, recording.program.elapsed_ns},
                      failure == failures.end() ? nullptr : &*failure));
      recording.traces.back().path = folder / path.filename();
    } catch (const schema::SqliteError& error) {
      add_sentence(recording.trouble,
                   "the trace '" + path.string() + "' could not be closed: " + error.what() + ".");
    }
  }
  for (const trace::WriteFailure& failure : failures) {
    // If the trace exists, it contains the failure.
    if (std::ranges::any_of(recording.traces, [&](const trace::Content& content) {
          return content.path.filename() == failure.trace.filename();
        })) {
      continue;
    }
    add_sentence(recording.trouble,
                 "'" + failure.trace.string() + "' could not be written: " + failure.why + ".");
  }
  if (has_folder && !recording.traces.empty()) {
    const fs::path manifest = options.output / ("manifest." + session + ".json");
    try {
      write_manifest(manifest, options, recording, session);
      recording.manifest = manifest;
    } catch (const std::system_error& error) {
      add_sentence(recording.trouble,
                   "the manifest could not be written: " + std::string(error.what()) + ".");
    }
  }
  std::error_code ignored;
  if (recording.traces.empty() && recording.trouble.empty() && fs::exists(output, ignored)) {
    recording.trouble = "the program itself made '" + options.output.string() +
                        "', so there is no trace at this path.";
  }
  return recording;
}

}  // namespace lapscope::launch
