#include "workloads/streams/suite/verify.h"

#include <stdexcept>

#include "workloads/harness/pattern.h"

namespace lapscope::workloads::streams {
namespace {

[[noreturn]] void refuse(const std::string& name, std::size_t index, std::uint32_t found,
                         std::uint32_t expected) {
  throw std::runtime_error("wrong result: element " + std::to_string(index) + " of " + name +
                           " is " + std::to_string(found) + " and should be " +
                           std::to_string(expected));
}

}  // namespace

void require_pattern(std::span<const std::uint32_t> data, std::size_t first, AffineMap map,
                     const std::string& name) {
  for (std::size_t i = 0; i < data.size(); ++i) {
    const std::uint32_t expected = map(pattern_value(first + i));
    if (data[i] != expected) refuse(name, i, data[i], expected);
  }
}

void require_value(std::span<const std::uint32_t> data, std::uint32_t value,
                   const std::string& name) {
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (data[i] != value) refuse(name, i, data[i], value);
  }
}

}  // namespace lapscope::workloads::streams
