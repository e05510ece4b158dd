#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "collector/nvtx/range_payloads.h"

namespace lapscope::nvtx {

constexpr std::size_t most_payload_entries = 16;
constexpr std::size_t most_payload_json = 1024;  // bytes

// Returns a payload as a JSON object, for example {"Message size [bytes]": 1048576}. Returns an
// empty string if no entry can be shown.
//
// The object contains the entries that have a name and one of these types: number, enumeration
// (shown by name), text inside the payload, or struct of these. The object leaves out arrays,
// unions, pointers, and all entries that `payload` does not contain completely. If the object
// exceeds most_payload_entries or most_payload_json, its last entries are dropped.
std::string payload_json(const PayloadSchema& schema, std::span<const std::byte> payload,
                         const PayloadSchemas& schemas, const void* domain);

}  // namespace lapscope::nvtx
