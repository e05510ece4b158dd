#include "collector/python_frames/shared_tables.h"

#include <algorithm>
#include <cstring>

namespace lapscope::python_frames {
namespace {

constexpr std::uint64_t empty = 0;
constexpr std::uint64_t being_written = 1;
// The maximum number of slots that a search tries. If other entries occupy all these slots, the
// table is treated as full.
constexpr std::size_t most_probes = 32;

}  // namespace

std::uint64_t mix(std::uint64_t hash, const void* bytes, std::size_t size) noexcept {
  const char* at = static_cast<const char*>(bytes);
  for (; size >= sizeof(std::uint64_t); size -= sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, at, sizeof word);
    hash = mix(hash, word);
    at += sizeof word;
  }
  std::uint64_t word = size;
  for (; size > 0; --size) word = word << 8 | static_cast<unsigned char>(*at++);
  return mix(hash, word);
}

// A text's number is its offset in bytes_. The first word is unused, so no text has number 0.
TextTable::TextTable() : used_(sizeof(std::uint32_t)) {}

std::uint32_t TextTable::append(std::string_view text) noexcept {
  const std::size_t size = sizeof(std::uint32_t) + text.size();
  std::uint32_t place = used_.load(std::memory_order_relaxed);
  do {
    if (size > most_bytes - place) return 0;
  } while (!used_.compare_exchange_weak(place, place + static_cast<std::uint32_t>(size),
                                        std::memory_order_relaxed));
  const auto length = static_cast<std::uint32_t>(text.size());
  std::memcpy(&bytes_[place], &length, sizeof length);
  std::memcpy(&bytes_[place + sizeof length], text.data(), text.size());
  return place;
}

std::uint32_t TextTable::number_of(std::string_view text) noexcept {
  if (text.empty() || text.size() >= most_bytes || slots_.empty() || bytes_.empty()) return 0;
  const std::uint64_t hash = mix(0, text.data(), text.size());
  std::uint32_t added = 0;
  for (std::size_t i = 0; i < most_probes; ++i) {
    std::atomic<std::uint32_t>& slot = slots_[(hash + i) % most_texts];
    std::uint32_t number = slot.load(std::memory_order_acquire);
    if (number == 0) {
      if (added == 0) added = append(text);
      if (added == 0) return 0;
      if (slot.compare_exchange_strong(number, added, std::memory_order_acq_rel)) return added;
    }
    if (this->text(number) == text) return number;
  }
  return 0;
}

std::string_view TextTable::text(std::uint32_t number) const noexcept {
  if (number == 0 || bytes_.empty()) return {};
  std::uint32_t length;
  std::memcpy(&length, &bytes_[number], sizeof length);
  return {&bytes_[number + sizeof length], length};
}

std::optional<PythonFrame> FrameTable::find(std::uint64_t key) const noexcept {
  if (entries_.empty()) return std::nullopt;
  key = std::max(key, being_written + 1);
  for (std::size_t i = 0; i < most_probes; ++i) {
    const Entry& entry = entries_[(key + i) % most];
    const std::uint64_t found = entry.key.load(std::memory_order_acquire);
    if (found == key) return entry.frame;
    if (found == empty) return std::nullopt;
  }
  return std::nullopt;
}

void FrameTable::add(std::uint64_t key, const PythonFrame& frame) noexcept {
  if (entries_.empty()) return;
  key = std::max(key, being_written + 1);
  for (std::size_t i = 0; i < most_probes; ++i) {
    Entry& entry = entries_[(key + i) % most];
    std::uint64_t found = entry.key.load(std::memory_order_acquire);
    if (found == key) return;
    if (found != empty ||
        !entry.key.compare_exchange_strong(found, being_written, std::memory_order_acq_rel)) {
      continue;
    }
    entry.frame = frame;
    entry.key.store(key, std::memory_order_release);
    return;
  }
}

}  // namespace lapscope::python_frames
