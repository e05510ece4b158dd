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
  Variables environment = {};  // more of the program's
};

// Why a recording was refused before the program started.
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
  std::filesystem::path manifest;  // of a folder; empty when there is none
  std::string trouble;             // a sentence when a trace could not be written or closed
};

// `output` may hold the placeholders of collector/trace/output_name.h. When it ends with a slash it
// is a folder, made if need be, in which each process has a file of its own, and a manifest says
// which.
//
// Runs a command with the collector injected and seals what it recorded. Refuses without side
// effects. An older trace at `output`, or an empty file, is replaced once the program has been
// started; a file that is neither is never touched.
Recording record(const RecordOptions& options);

}  // namespace lapscope::launch
