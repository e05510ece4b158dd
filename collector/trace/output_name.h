#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

// File names of traces can have placeholders. With placeholders, each process of a run writes a
// separate file, even if the run uses several machines.
// - %p: the process id
// - %r: the rank
// - %h: the name of the host
// - %n: the number of the capture, in a process that is captured several times
// - %%: a percent sign
//
// A % before any other character is not changed. Placeholders work only in the name of the file,
// not in the name of its folder.
namespace lapscope::trace {

// The values of the placeholders for a process. A placeholder without a value stays.
struct NameParts {
  std::optional<std::uint32_t> pid;
  std::optional<std::string> rank;
  std::optional<std::string> host;
  std::optional<int> capture = std::nullopt;  // from 1
};

// Returns the name of the host; empty if it cannot be found out.
std::string host_name();

// The value of %r in a process without a rank.
inline constexpr const char* no_rank = "norank";

// Replaces the placeholders that have a value in `known`. The result is a pattern, too: it may
// contain other placeholders and %%.
std::filesystem::path fill_in(const std::filesystem::path& pattern, const NameParts& known);

// Returns whether the pattern has %p, %r or %n.
bool is_open(const std::filesystem::path& pattern);

// Returns the path for a pattern in which all placeholders are filled in. Replaces %% by %.
std::filesystem::path plain(const std::filesystem::path& pattern);

// Returns a pattern without placeholders that stands for this path: each % in the name becomes %%.
std::filesystem::path pattern_of(const std::filesystem::path& path);

// Follows symbolic links from `path` and returns the last target, which need not exist.
std::filesystem::path led_to(std::filesystem::path path);

}  // namespace lapscope::trace
