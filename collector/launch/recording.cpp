#include "collector/launch/recording.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <random>

#include "collector/environment.h"
#include "collector/launch/collector_library.h"
#include "collector/schema/sqlite.h"

namespace lapscope::launch {
namespace {

namespace fs = std::filesystem;

std::optional<Refusal> check_injection() {
  for (const char* variable : {environment::cuda_injection, environment::nvtx_injection}) {
    const char* value = std::getenv(variable);
    if (value && *value) {
      return Refusal{Refusal::Kind::usage, 0,
                     std::string(variable) + " is already set to '" + value +
                         "': another tool would be injected into the program, and CUPTI serves one "
                         "tool at a time. Unset it, or run without that tool."};
    }
  }
  return std::nullopt;
}

std::optional<Refusal> check_output(const fs::path& output) {
  const auto refuse = [&output](const std::string& why) {
    return Refusal{Refusal::Kind::io, 0,
                   "cannot write the trace '" + output.string() + "': " + why};
  };
  std::error_code ignored;
  if (fs::is_directory(output, ignored)) return refuse("it is a folder. Name a file with -o.");
  if (fs::exists(output, ignored)) {
    if (fs::file_size(output, ignored) > 0 && !trace::is_trace(output)) {
      return refuse(
          "a file that is not a lapscope trace is there. Remove it or choose another name.");
    }
    if (::access(output.c_str(), W_OK) != 0) return refuse(std::string(std::strerror(errno)) + ".");
    return std::nullopt;
  }
  const int descriptor = ::open(output.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  if (descriptor < 0) return refuse(std::string(std::strerror(errno)) + ".");
  ::close(descriptor);
  ::unlink(output.c_str());
  return std::nullopt;
}

std::string new_session_id() {
  std::random_device random;
  constexpr char digits[] = "0123456789abcdef";
  std::string id;
  for (int i = 0; i < 16; ++i) id += digits[random() & 15U];
  return id;
}

void remove_old_trace(const fs::path& output) {
  std::error_code ignored;
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
    fs::remove(output.string() + suffix, ignored);
  }
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
  if (options.cupti && !fs::exists(*options.cupti)) {
    return refuse(
        {Refusal::Kind::io, 0, "there is no libcupti '" + options.cupti->string() + "'."});
  }
  const ResolvedProgram program = resolve_program(options.command.front());
  if (program.path.empty()) {
    return refuse({Refusal::Kind::program, program.exit_status, program.problem});
  }
  const fs::path output = fs::absolute(options.output);
  if (auto refusal = check_output(output)) return refuse(std::move(*refusal));

  const std::string session = new_session_id();
  Variables variables{
      {environment::cuda_injection, collector.path.string()},
      {environment::nvtx_injection, collector.path.string()},
      {environment::output, output.string()},
      {environment::session, session},
      {environment::flush_period, std::to_string(options.flush_period.count())},
  };
  if (options.cupti) {
    variables.emplace_back(environment::cupti, fs::absolute(*options.cupti).string());
  }
  remove_old_trace(output);
  recording.program = run_program(program.path, options.command, variables);
  for (const fs::path& path : trace::traces_of_session(output, session)) {
    try {
      recording.traces.push_back(
          trace::seal(path, {recording.program.exit_status, recording.program.elapsed_ns}));
      // Named the way the user named the folder.
      recording.traces.back().path = options.output.parent_path() / path.filename();
    } catch (const schema::SqliteError& error) {
      recording.trouble =
          "the trace '" + path.string() + "' could not be closed: " + error.what() + ".";
    }
  }
  return recording;
}

}  // namespace lapscope::launch
