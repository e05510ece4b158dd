#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// How long a program's NVTX ranges take, while nothing else is recorded: two readings of the clock
// and one look-up a range, in memory of the thread.
namespace lapscope::bare {

// All ranges with one text, in any domain and thread.
struct RangeTime {
  std::string name;
  std::int64_t count = 0;  // ranges that were opened and closed
  std::int64_t ns = 0;     // from open to close, added up

  friend bool operator==(const RangeTime&, const RangeTime&) = default;
};

// A program may make up texts without end; ranges of further ones are counted, without times.
inline constexpr std::size_t most_names = 4096;

// Called by the thread that opens or closes the range. Never throws, never blocks on I/O. `domain`
// is NVTX's handle: each domain has a stack of its own. push() returns how deep the range lies,
// from 0.
int push(const void* domain, std::string_view text) noexcept;
int pop(const void* domain) noexcept;
// Any thread may end the range. Ids are above 0.
std::uint64_t start(std::string_view text) noexcept;
void end(std::uint64_t id) noexcept;

// What a registered text or a domain is known by: equal texts have one handle, which lives as long
// as the process. Null when there is no memory.
const std::string* handle_of(std::string_view text) noexcept;

// The times of the ranges of all threads so far, by name.
std::vector<RangeTime> range_times();
// Ranges whose text came after `most_names` others.
std::int64_t ranges_without_times();

}  // namespace lapscope::bare
