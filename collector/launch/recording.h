#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "collector/launch/child_program.h"
#include "collector/request/request.h"
#include "collector/trace/trace_file.h"

namespace lapscope::launch {

struct RecordOptions {
  std::filesystem::path output;
  std::vector<std::string> command;
  std::chrono::milliseconds flush_period{200};
  std::optional<std::filesystem::path> cupti;  // a libcupti to use instead of searching
  request::Request request;
  Variables environment = {};  // added to the program's environment
};

// The reason why a recording was refused before the program started.
struct Refusal {
  enum class Kind {
    usage,    // the request cannot be carried out as it stands
    io,       // a file is missing or cannot be made
    program,  // the program cannot be run; exit_status says how a shell would report it
  };
  Kind kind;
  int exit_status = 0;
  std::string sentence;
};

struct Recording {
  std::optional<Refusal> refusal;
  Ended program;
  std::vector<trace::Content>
      traces;                      // none when no process initialised CUDA, or there was trouble
  std::filesystem::path manifest;  // if `output` is a folder; else empty
  std::string trouble;             // a sentence when a trace could not be written or closed
};

// Runs a command with the collector injected, and completes the traces after the command has ended.
// A refusal has no side effects. An older trace or an empty file at `output` is replaced, but only
// after the program has started. No other file is changed. If `output` is a symbolic link, the
// trace is written to its target, and the link stays.
//
// `output` may contain the placeholders of collector/trace/output_name.h. If it ends with a slash,
// it is a folder. The folder is made if needed, and gets one file per process and a manifest.
Recording record(const RecordOptions& options);

}  // namespace lapscope::launch
