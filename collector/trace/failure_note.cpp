#include "collector/trace/failure_note.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <system_error>

namespace lapscope::trace {
namespace {

std::string on_one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\t' || c == '\n'; }, ' ');
  return text;
}

}  // namespace

void append_note(const std::filesystem::path& note, const WriteFailure& failure) {
  const std::string line = std::to_string(failure.lost) + '\t' +
                           on_one_line(failure.trace.string()) + '\t' + on_one_line(failure.why) +
                           '\n';
  const int file = ::open(note.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) throw std::system_error(errno, std::generic_category(), note.string());
  // Writes the line with one system call, so that the lines of several processes do not mix.
  const ssize_t written = ::write(file, line.data(), line.size());
  const int why = errno;
  ::close(file);
  if (written < 0) throw std::system_error(why, std::generic_category(), note.string());
}

std::vector<WriteFailure> read_notes(const std::filesystem::path& note) {
  std::vector<WriteFailure> failures;
  std::ifstream file(note);
  for (std::string line; std::getline(file, line);) {
    const auto first = line.find('\t');
    const auto second = line.find('\t', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    WriteFailure failure;
    const auto [end, error] = std::from_chars(line.data(), line.data() + first, failure.lost);
    if (error != std::errc{} || end != line.data() + first) continue;
    failure.trace = line.substr(first + 1, second - first - 1);
    failure.why = line.substr(second + 1);
    const auto known = std::ranges::find(failures, failure.trace, &WriteFailure::trace);
    if (known == failures.end()) {
      failures.push_back(std::move(failure));
    } else {
      *known = std::move(failure);
    }
  }
  return failures;
}

}  // namespace lapscope::trace
