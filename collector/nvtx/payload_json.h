#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "collector/nvtx/payload_schema.h"

namespace lapscope::nvtx {

constexpr std::size_t most_payload_entries = 16;
constexpr std::size_t most_payload_json = 1024;  // bytes

// A payload as a JSON object, {"Message size [bytes]": 1048576}, with the entries that have a name
// and can be read: numbers, values of enumerations by name, texts inside the payload, and structs
// of such. Arrays, unions and pointers are left out, and so is what does not lie wholly in
// `payload`, and, from the end, what is more than the limits above. Empty where nothing is left.
std::string payload_json(const PayloadSchema& schema, std::span<const std::byte> payload,
                         const SchemaLookup& schemas, const void* domain);

}  // namespace lapscope::nvtx
