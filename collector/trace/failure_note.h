#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

// What a process could not write into its trace, in a file of its own: a trace on a full disk may
// not even take the row that says so.
namespace lapscope::trace {

struct WriteFailure {
  std::filesystem::path trace;
  std::int64_t lost = 0;  // records
  std::string why;
};

// Adds one line. Several processes may do so at once. Throws std::system_error when it cannot.
void append_note(const std::filesystem::path& note, const WriteFailure& failure);

// The latest failure of each trace, in the order in which they first failed. Empty if there is no
// such file; lines that are no failures are left out.
std::vector<WriteFailure> read_notes(const std::filesystem::path& note);

}  // namespace lapscope::trace
