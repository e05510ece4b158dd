#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>

#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// The limit of memory for reading a trace. The unit is the memory of one op with its call.
struct RowLimit {
  std::int64_t ops = std::numeric_limits<std::int64_t>::max();

  bool is_any() const { return ops != std::numeric_limits<std::int64_t>::max(); }
};

// Numbers of rows of a trace, or of the part read so far.
struct RowCounts {
  std::int64_t ops = 0;  // kernels, copies and memsets
  std::int64_t calls = 0;
  std::int64_t ranges = 0;
  std::int64_t names = 0;
  std::int64_t others = 0;
  std::int64_t bytes_of_names = 0;

  // Returns the memory of all these rows, in units of limits::bytes_of_op.
  std::int64_t in_ops() const;
};

// Throws UnreadableTrace if the counts exceed the limit. The text of the exception has the counts
// and the limit. `is_part` is true if the counts cover only a part of the file.
void check_counts(const std::filesystem::path& path, const RowCounts& counts, RowLimit limit,
                  bool is_part);

// Checks the counts of a database, without the bytes of its names. Does not count rows if an upper
// bound from the highest row ids is within the limit.
void check_rows(schema::Database& database, const std::filesystem::path& path, RowLimit limit);

}  // namespace lapscope::analyzer
