#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>

#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// How much is read of a trace, so that memory does not run out: what takes as much as so many ops
// with a call each.
struct RowLimit {
  std::int64_t ops = std::numeric_limits<std::int64_t>::max();

  bool is_any() const { return ops != std::numeric_limits<std::int64_t>::max(); }
};

// What a trace has, or the part of it that was read.
struct RowCounts {
  std::int64_t ops = 0;  // kernels, copies and memsets
  std::int64_t calls = 0;
  std::int64_t ranges = 0;
  std::int64_t names = 0;
  std::int64_t others = 0;
  std::int64_t bytes_of_names = 0;

  // How many ops with a call each take as much memory as all of it.
  std::int64_t in_ops() const;
};

// Throws UnreadableTrace with a sentence that has the counts and the limit where they are beyond.
// `is_part`: more of the file was not looked at.
void check_counts(const std::filesystem::path& path, const RowCounts& counts, RowLimit limit,
                  bool is_part);

// The same of a database, but for the bytes of its names. Where the ids of its rows show that there
// are not too many, none is read.
void check_rows(schema::Database& database, const std::filesystem::path& path, RowLimit limit);

}  // namespace lapscope::analyzer
