#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// Measures how long the NVTX ranges of a program last, and records nothing else. A range costs two
// readings of the clock, and one look-up in a table of its thread.
namespace lapscope::bare {

// All ranges with the same text, in all domains and threads.
struct RangeTime {
  std::string name;
  std::int64_t count = 0;  // ranges that were opened and closed
  std::int64_t ns = 0;     // total time in which at least one of them was open

  friend bool operator==(const RangeTime&, const RangeTime&) = default;
};

// The maximum number of different texts whose ranges are timed. Ranges with other texts are only
// counted. The limit bounds the memory, because a program may generate any number of texts.
inline constexpr std::size_t most_names = 4096;

// Open and close ranges. Each thread has a stack of open ranges for each domain. push() opens a
// range of the calling thread. pop() closes the innermost open range of the thread in this domain.
// Ranges that a thread leaves open when it ends are not counted.
// Neither function throws or blocks on I/O. `domain` is a handle of NVTX. Both return the depth of
// the range: the number of ranges, in all domains, that the thread opened before it and has not
// closed. Both return -1 on failure.
int push(const void* domain, std::string_view text) noexcept;
int pop(const void* domain) noexcept;
// start() begins a range and returns its id, or 0 on failure. Any thread may end the range with
// end().
std::uint64_t start(std::string_view text) noexcept;
void end(std::uint64_t id) noexcept;

// Returns the handle of a registered text or of a domain. Equal texts have the same handle. Handles
// are valid until the process ends. Returns null if no memory is left.
const std::string* handle_of(std::string_view text) noexcept;

// Returns the times of the ranges that all threads have closed so far, sorted by name. Leaves out
// the current interval of a name that has open ranges.
std::vector<RangeTime> range_times();
// Returns the number of ranges that were closed but not timed, because there were already
// `most_names` other texts.
std::int64_t ranges_without_times();

// Reads a clock that is cheap enough to time short ranges. It is the processor's counter if the
// Linux kernel uses this counter, and else CLOCK_MONOTONIC.
std::int64_t ticks() noexcept;

// Converts ticks to ns at the mean rate of the counter since the library was loaded. The longer the
// process runs, the more exact the result is.
double ns_of_ticks(std::int64_t ticks) noexcept;

// The times that one process of a bare run reports.
struct ProcessTimes {
  std::string rank;  // empty if the process has none
  std::int64_t without_times = 0;
  std::vector<RangeTime> ranges;
};

// Writes the file of this process into a folder. Throws std::system_error on failure.
void write_times(const std::filesystem::path& folder, const ProcessTimes& times);

// Reads the files of all processes from a folder. Skips incomplete files of processes that were
// killed while they wrote.
std::vector<ProcessTimes> read_times(const std::filesystem::path& folder);

}  // namespace lapscope::bare
