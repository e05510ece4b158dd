#pragma once

#include <filesystem>
#include <string>

#include "collector/launch/recording.h"

namespace lapscope::launch {

// Beside the traces of one recording, in a folder that has those of several: which files there are,
// of which processes, and what they hold. JSON, one object:
//   {"schema": "lapscope-recording/1", "session", "host", "command": [...], "exit_status",
//    "elapsed_ns", "traces": [{"file", "ops", "lost", "complete", "pid"|null, "rank"|null}]}
// Throws std::system_error when it cannot be written.
void write_manifest(const std::filesystem::path& path, const RecordOptions& options,
                    const Recording& recording, const std::string& session);

}  // namespace lapscope::launch
