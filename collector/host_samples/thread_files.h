#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lapscope::host_samples {

// /proc/self/task/ID/syscall of a thread that waits.
struct Waiting {
  std::int64_t system_call = -1;  // -1: it waits for something else, as in a page fault
  std::uint64_t first = 0;        // arguments
  std::uint64_t second = 0;
};

struct ThreadTimes {
  std::int64_t on_cpu = 0;    // ns since the thread began
  std::int64_t runnable = 0;  // ns that it was ready to run and had no processor
};

// What the files say. parse_waiting() gives nothing for a thread that runs.
std::optional<Waiting> parse_waiting(std::string_view text) noexcept;
std::optional<ThreadTimes> parse_times(std::string_view schedstat) noexcept;
// The letter of /proc/self/task/ID/stat, 0 if there is none. The name before it may contain
// parentheses and blanks.
char parse_letter(std::string_view stat) noexcept;

// Reads the files of one thread, now. Files are opened and closed at once: a program may close what
// it has not opened, and then get the number of a file that was kept.
struct ThreadLook {
  bool has_ended = false;
  bool says_what = false;  // `waiting` is known; otherwise the letter is all that there is
  char letter = 0;
  std::optional<Waiting> waiting;
  std::optional<ThreadTimes> times;
};
ThreadLook look_at(std::uint32_t thread) noexcept;

// Whether this process has such a thread.
bool has_thread(std::uint32_t thread) noexcept;

}  // namespace lapscope::host_samples
