#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

// Notes about data that processes could not write into their traces. They are in a separate file,
// because a trace on a full disk may have no room for them.
namespace lapscope::trace {

struct WriteFailure {
  std::filesystem::path trace;
  std::int64_t lost = 0;  // records
  std::string why;
};

// Adds one line to the file `note`. Several processes may add lines at the same time. Throws
// std::system_error on failure.
void append_note(const std::filesystem::path& note, const WriteFailure& failure);

// Returns the latest failure of each trace. The traces are in the order of their first failures.
// Returns nothing if there is no file `note`. Ignores invalid lines.
std::vector<WriteFailure> read_notes(const std::filesystem::path& note);

}  // namespace lapscope::trace
