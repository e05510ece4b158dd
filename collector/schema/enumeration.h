#pragma once

#include <cstdint>
#include <span>
#include <string_view>

// ENUM_* tables: the coded values of a trace with their names, as Nsight Systems codes them. Where
// CUPTI codes the same thing differently, the decoder recodes (memory kinds, launch types, overhead
// kinds).
namespace lapscope::schema {

struct Enumerator {
  std::int64_t id;
  std::string_view name;
  std::string_view label;
};

struct Enumeration {
  std::string_view table;
  std::span<const Enumerator> values;

  bool has(std::int64_t id) const {
    for (const Enumerator& value : values) {
      if (value.id == id) return true;
    }
    return false;
  }
};

std::span<const Enumeration> enumerations();

// Empty values when there is no such table.
Enumeration enumeration(std::string_view table);

}  // namespace lapscope::schema
