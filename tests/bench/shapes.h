#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace lapscope::bench {

class ShapeRows;

// A kind of trace in which one property grows with the number of rows, such as the kernels of a
// stream. It reveals quadratic algorithms.
struct Shape {
  const char* name;
  const char* rows;  // the rows that grow
  void (*write)(ShapeRows& trace, std::int64_t rows);
  std::vector<std::string> options = {};  // for `lapscope analyze`
  bool contradicts_itself = false;        // no program can produce these rows
};

// Returns all shapes.
std::span<const Shape> shapes();

// Writes a trace of this shape. It has about `rows` rows of the kind Shape::rows. Replaces an
// existing file. Throws the exceptions of generate_trace().
void write_shape(const std::filesystem::path& path, const Shape& shape, std::int64_t rows);

}  // namespace lapscope::bench
