#include "collector/nvtx/payload_schemas.h"

#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExtPayload.h>

#include <algorithm>
#include <string>
#include <utility>

#include "collector/stacks/own_memory.h"

namespace lapscope::nvtx {
namespace {

constexpr std::size_t most_entries = 256;  // of a struct; also values of an enumeration
constexpr std::size_t most_name = 128;     // bytes
constexpr std::size_t page = 4096;

constexpr stacks::OwnMemory memory;

std::uintptr_t number(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

// Reads a zero-terminated text from the program's memory. Stops after `most_name` bytes or at
// unreadable memory. Reads page by page. A text just before an unmapped page is therefore read
// completely.
std::string text_at(const char* text) {
  std::string read;
  for (std::uintptr_t at = number(text); text && read.size() < most_name;) {
    char bytes[most_name];
    const std::size_t wanted = std::min(most_name - read.size(), page - at % page);
    const std::size_t size = memory.read(at, bytes, wanted);
    const auto end = std::find(bytes, bytes + size, '\0');
    read.append(bytes, end);
    if (size < wanted || end != bytes + size) break;
    at += size;
  }
  return read;
}

template <class Item>
std::vector<Item> items_at(const Item* items, std::size_t count) {
  if (!items || count == 0 || count > most_entries) return {};
  std::vector<Item> read(count);
  const std::size_t size = count * sizeof(Item);
  if (memory.read(number(items), read.data(), size) != size) return {};
  return read;
}

}  // namespace

std::uint64_t PayloadSchemas::add(const void* domain, std::uint64_t id, PayloadSchema schema) {
  const std::lock_guard lock(mutex_);
  const std::size_t count = count_.load(std::memory_order_relaxed);
  if (count == most) return 0;
  if (id == 0) id = NVTX_PAYLOAD_SCHEMA_ID_DYNAMIC_START + ++last_id_;
  places_[count] = {domain, id, new PayloadSchema(std::move(schema))};
  count_.store(count + 1, std::memory_order_release);
  return id;
}

std::uint64_t PayloadSchemas::add_schema(const void* domain, const void* attributes) noexcept {
  nvtxPayloadSchemaAttr_t told{};
  if (!own_process_.is_here() || !memory.read(number(attributes), told)) return 0;
  const auto has = [&told](std::uint64_t field) { return (told.fieldMask & field) != 0; };
  try {
    PayloadSchema schema;
    schema.is_struct = told.type == NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
    if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE)) schema.size = told.payloadStaticSize;
    if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ALIGNMENT)) schema.pack = told.packAlign;
    for (const auto& entry : items_at(told.entries, told.numEntries)) {
      schema.entries.push_back(
          {entry.flags, entry.type, entry.arrayOrUnionDetail, entry.offset, text_at(entry.name)});
    }
    const bool has_id = has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID);
    return add(domain, has_id ? told.schemaId : 0, std::move(schema));
  } catch (...) {  // no memory
    return 0;
  }
}

std::uint64_t PayloadSchemas::add_enumeration(const void* domain, const void* attributes) noexcept {
  nvtxPayloadEnumAttr_t told{};
  if (!own_process_.is_here() || !memory.read(number(attributes), told)) return 0;
  const auto has = [&told](std::uint64_t field) { return (told.fieldMask & field) != 0; };
  try {
    PayloadSchema schema;
    const bool has_size = has(NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE) && told.sizeOfEnum != 0;
    schema.enum_size = has_size ? told.sizeOfEnum : sizeof(int);
    for (const auto& entry : items_at(told.entries, told.numEntries)) {
      schema.values.emplace_back(entry.value, text_at(entry.name));
    }
    const bool has_id = has(NVTX_PAYLOAD_ENUM_ATTR_FIELD_SCHEMA_ID);
    return add(domain, has_id ? told.schemaId : 0, std::move(schema));
  } catch (...) {  // no memory
    return 0;
  }
}

// Returns the schema with this id. If several schemas have this id, returns the latest one. A
// linear search suffices: NCCL registers 20 schemas, other libraries a few.
const PayloadSchema* PayloadSchemas::find(const void* domain, std::uint64_t id) const noexcept {
  for (std::size_t i = count_.load(std::memory_order_acquire); i > 0; --i) {
    const Place& place = places_[i - 1];
    if (place.id == id && place.domain == domain) return place.schema;
  }
  return nullptr;
}

}  // namespace lapscope::nvtx
