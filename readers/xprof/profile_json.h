#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "readers/xprof/profile_events.h"

// Reads XProf's JSON (*.trace.json.gz), which JAX writes in addition to XSpace. It is a Chrome
// trace whose processes are planes and whose threads are lines.
namespace lapscope::xprof {

// Returns whether XProf wrote the JSON. `begin` is the unpacked beginning of the file, where XProf
// writes the names of planes.
bool is_profile_json(std::string_view begin);

// Passes the lines and events that lapscope reads to `taker`, in the order of the file. A line is
// passed before its first event, and again whenever the line changes. GPUs are passed without
// properties, because the JSON does not contain them. `done` is as in kineto::read_json(). Throws
// UnreadableTrace and kineto::UnreadableJson.
Session read_profile_json(const std::filesystem::path& path, Taker& taker,
                          std::atomic<std::int64_t>* done);

}  // namespace lapscope::xprof
