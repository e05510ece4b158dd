#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>

#include "readers/xprof/profile_events.h"

// XSpace, the protobuf message that XProf writes into *.xplane.pb (xplane.proto of TensorFlow's
// tsl). Read with protozero, which a build may lack.
namespace lapscope::xprof {

// Whether the file begins as XSpace does. Known of every build.
bool is_xspace(const std::filesystem::path& path);

// The GPUs, lines and events of the planes that lapscope reads, in the order of the file: GPUs, the
// host's threads with their calls of CUDA, and NVTX. The file is mapped; names are kept once.
// `done` counts bytes of the file; it may be null. Throws UnreadableTrace: of a file that is
// damaged, of a profile that has planes of another accelerator and none of a GPU, and, in a build
// without protozero, of every file.
Session read_xspace(const std::filesystem::path& path, Taker& taker,
                    std::atomic<std::int64_t>* done);

}  // namespace lapscope::xprof
