#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace lapscope::bench {

class ShapeRows;

// A trace in which something has no end that mostly has: what takes the square of it shows.
struct Shape {
  const char* name;
  const char* rows;  // what grows
  void (*write)(ShapeRows& trace, std::int64_t rows);
  std::vector<std::string> options = {};  // of `lapscope analyze`
  bool contradicts_itself = false;        // no program can have run so
};

// By name; a trace of each has about as many rows of the kind that it is about as are asked for.
std::span<const Shape> shapes();

// Writes over what is there. Throws as generate_trace().
void write_shape(const std::filesystem::path& path, const Shape& shape, std::int64_t rows);

}  // namespace lapscope::bench
