#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Measures how long the NVTX ranges of a program last, and records nothing else. A range costs two
// readings of the clock, and one look-up in a table of its thread.
namespace lapscope::bare {

// The sums over all ranges with the same text, in all domains and threads.
struct RangeTime {
  std::string name;
  std::int64_t count = 0;  // ranges that were opened and closed
  std::int64_t ns = 0;     // total time from open to close

  friend bool operator==(const RangeTime&, const RangeTime&) = default;
};

// The greatest number of different texts whose ranges are timed. Ranges with other texts are only
// counted. A program may generate any number of texts.
inline constexpr std::size_t most_names = 4096;

// Open and close ranges. Each thread has a stack of open ranges for each domain. push() opens a
// range of the calling thread. pop() closes the innermost open range of the thread in this domain.
// Neither function throws or blocks on I/O. `domain` is a handle of NVTX. Both return the depth of
// the range, counted from 0 over all domains, or -1 on failure.
int push(const void* domain, std::string_view text) noexcept;
int pop(const void* domain) noexcept;
// start() begins a range and returns its id, or 0 on failure. Any thread may end the range with
// end().
std::uint64_t start(std::string_view text) noexcept;
void end(std::uint64_t id) noexcept;

// Returns the handle of a registered text or of a domain. Equal texts have the same handle. Handles
// are valid until the process ends. Returns null if no memory is left.
const std::string* handle_of(std::string_view text) noexcept;

// Returns the times of the ranges that all threads have closed so far, sorted by name.
std::vector<RangeTime> range_times();
// Returns the number of ranges that were closed but not timed, because there were already
// `most_names` other texts.
std::int64_t ranges_without_times();

}  // namespace lapscope::bare
