#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "readers/xprof/profile_events.h"

// The JSON of XProf (*.trace.json.gz), which JAX writes beside XSpace: a Chrome trace in which a
// process is a plane, and a thread a line.
namespace lapscope::xprof {

// Whether JSON that begins so, unpacked, was written by XProf: it names planes before anything
// else.
bool is_profile_json(std::string_view begin);

// The lines and events of the planes that lapscope reads, in the order of the file. A line is given
// again whenever the next event belongs to another one. GPUs have no properties here. `done` as for
// kineto::read_json. Throws UnreadableTrace, and kineto::UnreadableJson.
Session read_profile_json(const std::filesystem::path& path, Taker& taker,
                          std::atomic<std::int64_t>* done);

}  // namespace lapscope::xprof
