#include "collector/nvtx/range_payloads.h"

#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExtPayload.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "collector/process/clock.h"
#include "collector/process/thread_number.h"
#include "collector/stacks/own_memory.h"

namespace lapscope::nvtx {
namespace {

static_assert(NVTX_PAYLOAD_TYPE_EXT == static_cast<std::int32_t>(0xDFBD0009));

constexpr std::size_t most_payloads = 8;  // of one range or mark

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

// Copies only the first payload whose schema is known. A later payload can be data that this
// payload points to.
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

// Adds the payload to the bounded queue. Push number n, counted from 0, uses place n % room. Its
// round is n / room. The `turn` of a place tells the state of the place:
// - 2 * round: the place is free for the push of this round
// - 2 * round + 1: the place holds a payload that take() has not taken yet
// - 2 * round + 2: the place is free for the push of the next round
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

}  // namespace lapscope::nvtx
