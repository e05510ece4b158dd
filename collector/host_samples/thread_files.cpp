#include "collector/host_samples/thread_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
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

// Returns the first bytes of a file. On failure returns an empty text and sets `error` to errno.
std::string_view read_file(const Path& path, std::array<char, 256>& bytes, int& error) noexcept {
  error = 0;
  const int file = ::open(path.data(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    error = errno;
    return {};
  }
  const ssize_t size = ::read(file, bytes.data(), bytes.size());
  if (size < 0) error = errno;
  ::close(file);
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

std::optional<Waiting> waiting_of(std::uint32_t thread) noexcept {
  std::array<char, 256> bytes;
  int error = 0;
  return parse_waiting(read_file(path_of(thread, "syscall"), bytes, error));
}

ThreadLook look_at(std::uint32_t thread) noexcept {
  ThreadLook look;
  std::array<char, 256> bytes;
  int error = 0;
  const std::string_view call = read_file(path_of(thread, "syscall"), bytes, error);
  look.says_what = !call.empty();
  if (look.says_what) {
    look.waiting = parse_waiting(call);
  } else {
    look.letter = parse_letter(read_file(path_of(thread, "stat"), bytes, error));
    look.has_ended = look.letter == 0 && (error == ENOENT || error == ESRCH);
    if (look.has_ended) return look;
  }
  look.times = parse_times(read_file(path_of(thread, "schedstat"), bytes, error));
  return look;
}

bool has_thread(std::uint32_t thread) noexcept {
  return thread != 0 && ::access(path_of(thread, "stat").data(), F_OK) == 0;
}

}  // namespace lapscope::host_samples
