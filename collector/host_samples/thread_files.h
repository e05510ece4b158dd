#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lapscope::host_samples {

// The content of /proc/self/task/ID/syscall for a thread that waits.
struct Waiting {
  std::int64_t system_call = -1;  // -1: it waits outside a system call, as in a page fault
  std::uint64_t first = 0;        // arguments
  std::uint64_t second = 0;
  std::uint64_t stack_pointer = 0;
  std::uint64_t instruction = 0;  // the instruction after the system call

  friend bool operator==(const Waiting&, const Waiting&) = default;
};

struct ThreadTimes {
  std::int64_t on_cpu = 0;    // ns since the thread began
  std::int64_t runnable = 0;  // ns in which it was ready to run and had no processor
};

// Parse the content of the files `syscall` and `schedstat`. Return nothing if the content cannot be
// parsed. parse_waiting() also returns nothing if the thread runs.
std::optional<Waiting> parse_waiting(std::string_view text) noexcept;
std::optional<ThreadTimes> parse_times(std::string_view schedstat) noexcept;
// Returns the state letter in the content of /proc/self/task/ID/stat; 0 if there is none. The
// thread's name comes before the letter, and may contain parentheses and blanks.
char parse_letter(std::string_view stat) noexcept;

// The state of one thread, from its files below /proc.
struct ThreadLook {
  bool has_ended = false;
  bool says_what = false;  // true: `waiting` is known; false: only `letter` is known
  char letter = 0;
  std::optional<Waiting> waiting;
  std::optional<ThreadTimes> times;
};

// The files of a thread below /proc. They stay open, because opening a file takes longer than
// reading it. Use this class only in a thread that has its own table of descriptors, or call
// close() after each use. Otherwise the program could close the descriptors, and then open its own
// files with the same descriptors.
class ThreadFiles {
 public:
  ThreadFiles() = default;
  ThreadFiles(const ThreadFiles&) = delete;
  ThreadFiles& operator=(const ThreadFiles&) = delete;
  ~ThreadFiles() { close(); }

  // Returns the state of a thread of this process. Opens its files if they are not open.
  ThreadLook look_at(std::uint32_t thread) noexcept;
  // Returns what the thread of the last look_at() is waiting for at this moment. Returns nothing if
  // this thread runs or has ended, or if Linux does not show what the thread is waiting for.
  std::optional<Waiting> waiting() const noexcept;
  void close() noexcept;

 private:
  void open(std::uint32_t thread) noexcept;

  std::uint32_t thread_ = 0;
  bool says_what_ = false;  // true: state_ is the file `syscall`; false: it is `stat`
  int state_ = -1;
  int times_ = -1;
};

bool has_thread(std::uint32_t thread) noexcept;

}  // namespace lapscope::host_samples
