#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>

#include "readers/xprof/profile_events.h"

// Reads XSpace, the protobuf message that XProf writes to *.xplane.pb (xplane.proto in TensorFlow's
// tsl). Reading XSpace needs protozero, which a build may lack.
namespace lapscope::xprof {

// Returns whether the file begins like XSpace. Works in builds without protozero, too.
bool is_xspace(const std::filesystem::path& path);

// Reads the planes of GPUs, of the host's threads with their CUDA calls, and of NVTX. Passes the
// GPUs, lines and events of these planes to `taker`, in the order of the file. The file is mapped,
// and each name is stored once. `done`, which may be null, is the number of bytes of the file read
// so far. Throws UnreadableTrace if the file is damaged, or if the profile has planes of another
// accelerator but none of a GPU. In a build without protozero, always throws UnreadableTrace.
Session read_xspace(const std::filesystem::path& path, Taker& taker,
                    std::atomic<std::int64_t>* done);

}  // namespace lapscope::xprof
