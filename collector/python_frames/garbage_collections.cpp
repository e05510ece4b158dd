#include "collector/python_frames/garbage_collections.h"

#include <algorithm>

namespace lapscope::python_frames {
namespace {

using Known = GarbageCollections::Known;

constexpr std::size_t word = sizeof(std::int64_t);
constexpr std::size_t generations = GarbageCollections::generations;

// Size of struct gc_generation_stats in CPython 3.14 and earlier.
constexpr std::size_t size_of_count = 3 * word;

// The layout of struct gc_stats of CPython 3.15 (Include/internal/pycore_interp_structs.h). Each
// generation has records of its most recent collections (struct gc_generation_stats). The records
// are followed by an index, which this code does not read. The struct ends with a counter, which is
// odd while the interpreter changes the data.
constexpr std::size_t size_of_record = 8 * word;
constexpr std::size_t end_in_record = word;
constexpr std::size_t number_in_record = 2 * word;
struct Kept {
  std::array<std::size_t, generations> records;

  std::size_t size_of(std::size_t generation) const {
    return records[generation] * size_of_record + word;
  }
  std::size_t changes() const { return size_of(0) + size_of(1) + size_of(2); }
};
constexpr Kept usually{{11, 3, 3}};
constexpr Kept free_threaded{{1, 1, 1}};
constexpr std::size_t most_kept = 17 * size_of_record + 3 * word + sizeof(std::uint32_t);

std::optional<GarbageCollections> counted(std::uintptr_t counts,
                                          const OwnProcess& process) noexcept {
  const Place place{counts, generations * size_of_count};
  std::array<std::byte, generations * size_of_count> bytes;
  if (copy_memory(process, {&place, 1}, bytes) != 1) return std::nullopt;
  GarbageCollections found;
  for (std::size_t i = 0; i < generations; ++i) {
    found.of[i].count = value_in<std::int64_t>(bytes.data(), i * size_of_count);
  }
  return found;
}

std::optional<GarbageCollections> recorded(std::uintptr_t pointer, const Kept& kept,
                                           const OwnProcess& process) noexcept {
  const Place to_records{pointer, word};
  std::array<std::byte, word> address_bytes;
  if (copy_memory(process, {&to_records, 1}, address_bytes) != 1) return std::nullopt;
  const auto address = value_in<std::uintptr_t>(address_bytes.data(), 0);
  std::array<std::byte, most_kept> bytes;
  const Place all{address, static_cast<std::uint32_t>(kept.changes() + sizeof(std::uint32_t))};
  const Place once_more{address + kept.changes(), sizeof(std::uint32_t)};
  std::array<std::byte, sizeof(std::uint32_t)> changes;
  if (copy_memory(process, {&all, 1}, bytes) != 1) return std::nullopt;
  if (copy_memory(process, {&once_more, 1}, changes) != 1) return std::nullopt;
  const auto before = value_in<std::uint32_t>(bytes.data(), kept.changes());
  if (before % 2 != 0 || before != value_in<std::uint32_t>(changes.data(), 0)) return std::nullopt;
  GarbageCollections found;
  std::size_t at = 0;
  for (std::size_t i = 0; i < generations; at += kept.size_of(i++)) {
    GarbageCollections::Generation& generation = found.of[i];
    for (std::size_t record = 0; record < kept.records[i]; ++record) {
      const std::byte* const bytes_of = bytes.data() + at + record * size_of_record;
      const Known known{value_in<std::int64_t>(bytes_of, number_in_record),
                        value_in<std::int64_t>(bytes_of, 0),
                        value_in<std::int64_t>(bytes_of, end_in_record)};
      generation.count = std::max(generation.count, known.number);
      if (known.begin > 0 && known.begin <= known.end) generation.known[record] = known;
    }
  }
  return found;
}

}  // namespace

std::optional<GarbageCollections> collections_of(std::uintptr_t interpreter, const Layout& layout,
                                                 const OwnProcess& process) noexcept {
  const auto& at = layout.collector;
  if (at.records == 0) return counted(interpreter + at.counts, process);
  return recorded(interpreter + at.records, layout.is_free_threaded ? free_threaded : usually,
                  process);
}

}  // namespace lapscope::python_frames
