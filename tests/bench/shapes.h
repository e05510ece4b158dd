#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace lapscope::bench {

class ShapeRows;

// A kind of trace. One property, such as the number of kernels in one stream, grows with the
// requested number of rows. Such traces reveal quadratic algorithms.
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
