#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace lapscope::bench {

class ShapeRows;

// A kind of trace in which one property grows without a bound. It reveals quadratic algorithms.
struct Shape {
  const char* name;
  const char* rows;  // the rows that grow
  void (*write)(ShapeRows& trace, std::int64_t rows);
  std::vector<std::string> options = {};  // for `lapscope analyze`
  bool contradicts_itself = false;        // no program can produce these rows
};

// Returns the shapes by name. A trace has about the requested number of the rows that grow.
std::span<const Shape> shapes();

// Writes a trace and replaces an existing file. Throws the exceptions of generate_trace().
void write_shape(const std::filesystem::path& path, const Shape& shape, std::int64_t rows);

}  // namespace lapscope::bench
