#include "collector/host_samples/thread_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdio>

namespace lapscope::host_samples {
namespace {

using Path = std::array<char, 64>;

Path path_of(std::uint32_t thread, const char* file) noexcept {
  Path path{};
  std::snprintf(path.data(), path.size(), "/proc/self/task/%u/%s", thread, file);
  return path;
}

int open_file(std::uint32_t thread, const char* file) noexcept {
  return ::open(path_of(thread, file).data(), O_RDONLY | O_CLOEXEC);
}

using Bytes = std::array<char, 256>;

// Returns the first bytes of a file; an empty text if they cannot be read.
std::string_view read_file(int file, Bytes& bytes) noexcept {
  const ssize_t size = ::pread(file, bytes.data(), bytes.size(), 0);
  return size > 0 ? std::string_view(bytes.data(), static_cast<std::size_t>(size))
                  : std::string_view();
}

template <class Number>
bool take(std::string_view& text, Number& number, int base) noexcept {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  if (base == 16 && text.starts_with("0x")) text.remove_prefix(2);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

}  // namespace

std::optional<Waiting> parse_waiting(std::string_view text) noexcept {
  Waiting waiting;
  if (!take(text, waiting.system_call, 10)) return std::nullopt;  // the file says "running"
  // A system call has six arguments, of which the first two are used.
  std::array<std::uint64_t, 6> arguments{};
  if (waiting.system_call >= 0) {
    for (std::uint64_t& argument : arguments) {
      if (!take(text, argument, 16)) return std::nullopt;
    }
  }
  waiting.first = arguments[0];
  waiting.second = arguments[1];
  if (!take(text, waiting.stack_pointer, 16) || !take(text, waiting.instruction, 16)) {
    return std::nullopt;
  }
  return waiting;
}

std::optional<ThreadTimes> parse_times(std::string_view schedstat) noexcept {
  ThreadTimes times;
  if (!take(schedstat, times.on_cpu, 10) || !take(schedstat, times.runnable, 10)) {
    return std::nullopt;
  }
  return times;
}

char parse_letter(std::string_view stat) noexcept {
  const std::size_t end = stat.rfind(')');
  return end == std::string_view::npos || end + 2 >= stat.size() ? '\0' : stat[end + 2];
}

void ThreadFiles::close() noexcept {
  for (int* file : {&state_, &times_}) {
    if (*file >= 0) ::close(*file);
    *file = -1;
  }
  thread_ = 0;
}

void ThreadFiles::open(std::uint32_t thread) noexcept {
  close();
  thread_ = thread;
  Bytes bytes;
  state_ = open_file(thread, "syscall");
  says_what_ = !read_file(state_, bytes).empty();
  if (!says_what_) {
    if (state_ >= 0) ::close(state_);
    state_ = open_file(thread, "stat");
  }
  times_ = open_file(thread, "schedstat");
}

ThreadLook ThreadFiles::look_at(std::uint32_t thread) noexcept {
  if (thread != thread_) open(thread);
  ThreadLook look;
  Bytes bytes;
  const std::string_view state = read_file(state_, bytes);
  if (state.empty()) {
    close();  // another thread may have the id now
    look.has_ended = !has_thread(thread);
    return look;
  }
  look.says_what = says_what_;
  if (says_what_) {
    look.waiting = parse_waiting(state);
  } else {
    look.letter = parse_letter(state);
  }
  look.times = parse_times(read_file(times_, bytes));
  return look;
}

std::optional<Waiting> ThreadFiles::waiting() const noexcept {
  Bytes bytes;
  return says_what_ ? parse_waiting(read_file(state_, bytes)) : std::nullopt;
}

bool has_thread(std::uint32_t thread) noexcept {
  return thread != 0 && ::access(path_of(thread, "stat").data(), F_OK) == 0;
}

}  // namespace lapscope::host_samples
