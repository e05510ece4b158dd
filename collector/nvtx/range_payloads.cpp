#include "collector/nvtx/range_payloads.h"

#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExtPayload.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "collector/process/clock.h"
#include "collector/process/thread_number.h"
#include "collector/stacks/own_memory.h"

namespace lapscope::nvtx {
namespace {

static_assert(NVTX_PAYLOAD_TYPE_EXT == static_cast<std::int32_t>(0xDFBD0009));

constexpr std::size_t most_payloads = 8;   // of one range or mark
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

void RangePayloads::keep(bool keeps) noexcept {
  if (keeps && !places_.load(std::memory_order_relaxed)) {
    void* pages = ::mmap(nullptr, room * sizeof(Place), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED) return;
    places_.store(static_cast<Place*>(pages), std::memory_order_release);
  }
  keeps_.store(keeps, std::memory_order_release);
}

// Copies only the first payload whose schema is known. A later payload can be data that the first
// one points to.
std::optional<RawPayload> RangePayloads::read(DomainHandle domain, Attributes attributes) noexcept {
  if (!own_process_.is_here() || schemas_.is_empty()) return std::nullopt;
  std::array<nvtxPayloadData_t, most_payloads> told;
  const std::size_t count =
      std::min<std::size_t>(static_cast<std::uint32_t>(attributes->reserved0), most_payloads);
  const std::size_t bytes = count * sizeof told[0];
  if (bytes == 0 ||
      stacks::OwnMemory().read(attributes->payload.ullValue, told.data(), bytes) != bytes) {
    return std::nullopt;
  }
  for (const nvtxPayloadData_t& data : std::span(told).first(count)) {
    const PayloadSchema* schema = schemas_.find(domain, data.schemaId);
    if (!schema) continue;
    std::optional<RawPayload> payload(std::in_place);
    const std::size_t whole = data.size == SIZE_MAX ? schema->size : data.size;
    const std::size_t size = std::min(whole, RawPayload::most);
    const auto address = reinterpret_cast<std::uintptr_t>(data.payload);
    if (size == 0 || stacks::OwnMemory().read(address, payload->bytes.data(), size) != size) {
      lost_.fetch_add(1, std::memory_order_relaxed);
      return std::nullopt;
    }
    payload->domain = domain;
    payload->schema = schema;
    payload->size = static_cast<std::uint32_t>(size);
    payload->thread = process::thread_id_before_fork();
    payload->begin = process::utc_ns();
    return payload;
  }
  return std::nullopt;
}

// The pushes are numbered from 0. Push n uses place n % room, in round n / room. The `turn` of a
// place is one of these:
// - 2 * round: the place is free for the push of this round
// - 2 * round + 1: it has a payload that take() has not taken
// - 2 * round + 2: it is free for the push of the next round
//
// Fresh pages are zero, so every place is free in round 0.
void RangePayloads::push(RawPayload& payload) noexcept {
  Place* const places = places_.load(std::memory_order_acquire);
  if (!places) return;
  payload.end = process::utc_ns();
  std::uint64_t number = pushed_.load(std::memory_order_relaxed);
  for (;;) {
    const std::uint64_t round = number / room;
    const std::uint64_t turn = places[number % room].turn.load(std::memory_order_acquire);
    if (turn == 2 * round) {
      if (pushed_.compare_exchange_weak(number, number + 1, std::memory_order_relaxed)) break;
    } else if (turn < 2 * round) {  // not taken yet: all places are full
      lost_.fetch_add(1, std::memory_order_relaxed);
      return;
    } else {
      number = pushed_.load(std::memory_order_relaxed);
    }
  }
  Place& place = places[number % room];
  std::memcpy(&place.payload, &payload, offsetof(RawPayload, bytes) + payload.size);
  place.turn.store(2 * (number / room) + 1, std::memory_order_release);
}

std::vector<RawPayload> RangePayloads::take() {
  std::vector<RawPayload> payloads;
  Place* const places = places_.load(std::memory_order_acquire);
  if (!places) return payloads;
  for (;; ++taken_) {
    Place& place = places[taken_ % room];
    const std::uint64_t round = taken_ / room;
    if (place.turn.load(std::memory_order_acquire) != 2 * round + 1) return payloads;
    payloads.push_back(place.payload);
    place.turn.store(2 * round + 2, std::memory_order_release);
  }
}

RangePayloads& range_payloads() {
  static RangePayloads* const payloads = new RangePayloads;  // outlives every exit handler
  return *payloads;
}

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
