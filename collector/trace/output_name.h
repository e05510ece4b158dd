#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

// Names of traces with placeholders in them, so that the processes of one run, or of several
// machines, write one file each: %p the process id, %r the rank, %h the host's name, %n the number
// of a capture of a process that is captured several times, %% a percent sign. Only the file's name
// is looked at, never the folder's. Anything else behind a % is left as it is.
namespace lapscope::trace {

// What is known of a process. What is not stays a placeholder.
struct NameParts {
  std::optional<std::uint32_t> pid;
  std::optional<std::string> rank;
  std::optional<std::string> host;
  std::optional<int> capture = std::nullopt;  // from 1
};

// Empty when it cannot be found out.
std::string host_name();

// What %r stands for in a process without a rank.
inline constexpr const char* no_rank = "norank";

// Fills in what is known; the result is a pattern again.
std::filesystem::path fill_in(const std::filesystem::path& pattern, const NameParts& known);

// Whether %p, %r or %n is still to be filled in.
bool is_open(const std::filesystem::path& pattern);

// The name that a pattern without open placeholders stands for, and the pattern of such a name.
std::filesystem::path plain(const std::filesystem::path& pattern);
std::filesystem::path pattern_of(const std::filesystem::path& plain);

}  // namespace lapscope::trace
