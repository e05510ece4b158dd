#pragma once

#include <cstdint>
#include <string>

namespace lapscope::decode {

// "GPU-3f2a5c1e-...", as nvidia-smi -L prints it.
std::string uuid_text(const std::uint8_t (&uuid)[16]);

}  // namespace lapscope::decode
