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

// Passes to `taker` the lines and events that lapscope reads, in the order of the file. Passes an
// event's line before the event, unless the previous event belongs to the same line. GPUs have no
// properties. `done` is as in kineto::read_json(). Throws UnreadableTrace and
// kineto::UnreadableJson.
Session read_profile_json(const std::filesystem::path& path, Taker& taker,
                          std::atomic<std::int64_t>* done);

}  // namespace lapscope::xprof
